// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page6;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;

/**
 * Solution of the exercise: adds up words that are not adjacent, on one Memory Node, one by one and in one round trip.
 */
public final class SumTogether implements Program {
    private static final int WORDS = 16;

    /** Takes the options of the framework. */
    public static void main(String... args) {
        ProgramRunner.main(new SumTogether(), SumTogether.class, args);
    }

    @Override
    public String name() {
        return "sum-together";
    }

    @Override
    public String summary() {
        return "Adds up words of remote memory in two ways.";
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
            long[] words = new long[WORDS];
            for (int i = 0; i < WORDS; i++) {
                words[i] = ct.allocate(Long.BYTES);
                ct.write(words[i], i);
            }
            long before = ct.metrics().roundTrips();
            long sum = 0;
            for (long word : words) {
                sum += ct.read(word);
            }
            report("one by one", sum, ct.metrics().roundTrips() - before, context);
            before = ct.metrics().roundTrips();
            sum = sumTogether(words, ct);
            report("together", sum, ct.metrics().roundTrips() - before, context);
        }
        ct.barrier();
    }

    private static long sumTogether(long[] words, ComputeThread ct) {
        LocalBuffer local = ct.allocateLocal((long) words.length * Long.BYTES);
        Sequence sequence = ct.sequence();
        for (int i = 0; i < words.length; i++) {
            sequence.read(words[i], local, (long) i * Long.BYTES, Long.BYTES);
        }
        sequence.execute();
        long sum = 0;
        for (int i = 0; i < words.length; i++) {
            sum += local.getLong((long) i * Long.BYTES);
        }
        return sum;
    }

    private static void report(String how, long sum, long roundTrips, NodeContext context) {
        context.conclude(how + ": the sum is " + sum + ", round trips: " + roundTrips);
    }
}
