// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.tools.bench.suite.ClusterSuite;

/** The process of one node of {@code bench queues}. */
final class QueuesNode {
    private QueuesNode() {}

    /** Runs the node and ends the process; its arguments are the name of the program and its command line. */
    public static void main(String... args) {
        ClusterSuite.runNode(QueuesProgram::new, QueuesNode.class, args);
    }
}
