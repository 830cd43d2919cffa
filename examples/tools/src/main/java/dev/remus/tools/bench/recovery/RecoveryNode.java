// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.recovery;

import dev.remus.tools.bench.suite.ClusterSuite;

/** The process of one node of {@code bench recovery}. */
final class RecoveryNode {
    private RecoveryNode() {}

    /** Runs the node and ends the process; its arguments are the name of the program and its command line. */
    public static void main(String... args) {
        ClusterSuite.runNode(RecoveryProgram::new, RecoveryNode.class, args);
    }
}
