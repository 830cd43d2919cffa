// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page6;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.CompletionBarrier;
import dev.remus.node.CompletionGrade;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;

/** One thread fills an array twice: it first waits for each word, and then once for all of them. */
public final class StoreTogether implements Program {
    /** The length of the array, in words of 8 bytes. */
    public static final int WORDS = 100;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new StoreTogether(), StoreTogether.class, args);
    }

    @Override
    public String name() {
        return "store-together";
    }

    @Override
    public String summary() {
        return "Counts the round trips of stores that are awaited one by one, and together.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary()).include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return this::run;
    }

    private void run(ComputeThread ct, NodeContext context) {
        if (ct.id() == 0) {
            long array = ct.allocate(WORDS * Long.BYTES);
            long before = ct.metrics().roundTrips();
            for (int i = 0; i < WORDS; i++) {
                ct.write(array + (long) i * Long.BYTES, i);
            }
            context.conclude("one by one: " + (ct.metrics().roundTrips() - before) + " round trips");
            before = ct.metrics().roundTrips();
            fill(array, ct);
            context.conclude("together: " + (ct.metrics().roundTrips() - before) + " round trip");
            ct.free(array, WORDS * Long.BYTES);
        }
        ct.barrier();
    }

    // #region fill
    /** Stores 0, 1, 2 and so on to an array; when this returns, all threads can see them. */
    public static void fill(long array, ComputeThread ct) {
        CompletionBarrier barrier = ct.async().barrier(RdmaPtr.node(array));
        long last = 0;
        for (int i = 0; i < WORDS; i++) {
            last = ct.async().write(array + (long) i * Long.BYTES, i).detach(); // not awaited
        }
        barrier.await(last, CompletionGrade.REMOTE); // waits for all up to the last
    }
    // #endregion fill
}
