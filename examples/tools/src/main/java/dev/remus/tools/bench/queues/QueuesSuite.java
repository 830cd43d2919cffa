// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.tools.bench.suite.ClusterSuite;
import java.io.PrintStream;
import java.util.List;

/** {@code bench queues}: starts the two processes that the queues connect. */
public final class QueuesSuite {
    /** The name of the suite. */
    public static final String NAME = QueuesProgram.NAME;

    /** A one-line summary. */
    public static final String SUMMARY = QueuesProgram.SUMMARY;

    /** Options for two processes: node 0 provides the memory and dequeues, node 1 enqueues. */
    private static final List<String> TWO_PROCESSES =
            List.of("--first-cn-id=0", "--last-cn-id=1", "--cn-threads=" + QueuesJob.MAX_PRODUCERS);

    private QueuesSuite() {}

    /**
     * Runs the suite, or one of its nodes.
     *
     * @param out receives the results
     * @param err receives errors and progress
     * @param args the command line, without the name
     * @return an {@link dev.remus.cli.cluster.ExitStatus}: a missed target is no failure
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return ClusterSuite.run(QueuesProgram::new, QueuesNode.class, TWO_PROCESSES, out, err, args);
    }
}
