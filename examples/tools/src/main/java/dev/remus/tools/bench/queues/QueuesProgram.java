// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.Program;
import dev.remus.config.ClusterConfig;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.tools.bench.suite.JsonReport;
import java.util.List;

/**
 * The program of {@code bench queues}: the first thread of the first Compute Node dequeues, and threads of the last one
 * enqueue.
 */
final class QueuesProgram implements Program {
    static final String NAME = "queues";

    static final String SUMMARY =
            "Compares the buffered queues between two processes with a ring buffer of Agrona, in items per second.";

    static final OptionSpec<Boolean> QUICK =
            OptionSpec.flag("--quick", "Short: few rounds of few items; too short for comparisons");

    static final OptionSpec<Long> ROUNDS = OptionSpec.integer(
                    "--rounds", 1, 1000, "Number of interleaved measurements of each queue, after two warm-ups")
            .withDefault(9L);

    private static final OptionSpec<Long> ITEMS = OptionSpec.integer(
                    "--items", 1, 1L << 40, "Number of items that each producer enqueues in a round")
            .withDefault(4_000_000L);

    private static final OptionSpec<Long> CAPACITY_LOG2 = OptionSpec.integer(
                    "--capacity-log2", 4, 24, "Capacity of each queue in items, as a power of two")
            .withDefault(14L);

    static final long QUICK_ROUNDS = 3;
    private static final long QUICK_ITEMS = 500_000;

    private final List<String> words;

    /** @param words the words of the command line, as the user gave them */
    QueuesProgram(List<String> words) {
        this.words = List.copyOf(words);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return SUMMARY;
    }

    @Override
    public OptionSet options() {
        return new OptionSet(
                        "./remus bench " + NAME,
                        SUMMARY
                                + " Items have 8 bytes. One or two threads of one process enqueue them, one by one or"
                                + " 16 at a time, and a thread of the other process dequeues them.")
                .include(new OptionGroup("Measuring", QUICK, ROUNDS, ITEMS, CAPACITY_LOG2))
                .include(JsonReport.group())
                .include(RemusOptions.groups())
                .example("./remus bench queues")
                .example("./remus bench queues --quick");
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        if (cluster.computeNodes() < 2 || cluster.threadsPerNode() < QueuesJob.MAX_PRODUCERS) {
            throw arguments.usageError(
                    RemusOptions.CN_THREADS,
                    "two Compute Nodes with " + QueuesJob.MAX_PRODUCERS + " threads each: this cluster has "
                            + cluster.computeNodes() + " with " + cluster.threadsPerNode());
        }
        boolean quick = arguments.get(QUICK);
        return new QueuesJob(
                Math.toIntExact(quick && !arguments.isGiven(ROUNDS) ? QUICK_ROUNDS : arguments.get(ROUNDS)),
                quick && !arguments.isGiven(ITEMS) ? QUICK_ITEMS : arguments.get(ITEMS),
                1 << arguments.get(CAPACITY_LOG2),
                words);
    }
}
