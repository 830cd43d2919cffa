// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.recovery;

import dev.remus.tools.bench.suite.ClusterSuite;
import java.io.PrintStream;
import java.util.List;

/** {@code bench recovery}: starts the processes, of which all but two are killed. */
public final class RecoverySuite {
    /** The name of the suite. */
    public static final String NAME = RecoveryProgram.NAME;

    /** A one-line summary. */
    public static final String SUMMARY = RecoveryProgram.SUMMARY;

    /** Node 0 provides the memory; nodes 1 and 2 live on. */
    private static final List<String> NODES =
            List.of("--first-cn-id=1", "--last-cn-id=7", "--cn-threads=1", "--on-node-loss=continue");

    private RecoverySuite() {}

    /**
     * Runs the suite, or one of its nodes.
     *
     * @param out receives the results
     * @param err receives errors and progress
     * @param args the command line, without the name
     * @return an {@link dev.remus.cli.cluster.ExitStatus}: a missed target is no failure
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return ClusterSuite.run(RecoveryProgram::new, RecoveryNode.class, NODES, out, err, args);
    }
}
