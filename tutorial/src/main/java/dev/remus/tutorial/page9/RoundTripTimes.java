// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page9;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import java.util.Arrays;
import java.util.Locale;

/** One thread measures how long a round trip takes, on any fabric. */
public final class RoundTripTimes implements Program {
    private static final int WARM_UP = 2_000;
    private static final int TIMES = 10_000;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new RoundTripTimes(), RoundTripTimes.class, args);
    }

    @Override
    public String name() {
        return "round-trip-times";
    }

    @Override
    public String summary() {
        return "One thread measures how long a round trip takes.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return this::run;
    }

    // #region run
    private void run(ComputeThread ct, NodeContext context) {
        if (ct.id() == 0) {
            long word = ct.allocate(Long.BYTES);
            ct.write(word, 0);
            report("READ", () -> ct.read(word), ct, context);
            report("WRITE", () -> ct.write(word, 1), ct, context);
            report("FETCH_AND_ADD", () -> ct.fetchAndAdd(word, 1), ct, context);
            ct.free(word, Long.BYTES);
        }
        ct.barrier();
    }

    private static void report(String name, Runnable operation, ComputeThread ct, NodeContext context) {
        long[] nanos = new long[TIMES];
        for (int i = -WARM_UP; i < TIMES; i++) {
            long start = ct.nanoTime();
            operation.run();
            nanos[Math.max(i, 0)] = ct.nanoTime() - start;
        }
        Arrays.sort(nanos);
        // The median: a thread that is interrupted does not count.
        double micros = nanos[TIMES / 2] / 1e3;
        context.conclude(String.format(Locale.ROOT, "%-13s %8.3f µs", name, micros));
    }
    // #endregion run
}
