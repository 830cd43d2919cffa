// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page3;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;

/** One node of a cluster: a Memory Node, a Compute Node or both, depending on its id. */
public final class ConnectingNodes {
    private ConnectingNodes() {}

    /** Takes the options of the framework. */
    public static void main(String... args) throws Exception {
        OptionSet options = new OptionSet("connecting-nodes", "One node of a cluster.").include(RemusOptions.groups());
        try {
            Arguments arguments = options.parse(args);
            run(RemusOptions.clusterConfig(arguments), RemusOptions.nodeId(arguments));
        } catch (UsageException e) {
            e.printTo(System.err);
            System.exit(UsageException.EXIT_STATUS);
        }
    }

    // #region node
    private static void run(ClusterConfig config, int id) throws Exception {
        try (MemoryNode memory = config.isMemoryNode(id) ? MemoryNode.start(config, id) : null) {
            if (config.isComputeNode(id)) {
                try (ComputeNode compute = ComputeNode.connect(config, id)) {
                    compute.runThreads(ConnectingNodes::work);
                }
            }
            if (memory != null) {
                memory.awaitFinished();
                System.out.println("node " + id + ": all threads have finished");
            }
        }
    }
    // #endregion node

    // #region work
    private static void work(ComputeThread ct) {
        if (ct.id() == 0) { // one thread sets the root
            RdmaPtr<Long> count = new RdmaPtr<>(ct.allocate(Long.BYTES));
            ct.write(count.raw(), 0);
            ct.root().set(count);
        }
        ct.barrier();
        RdmaPtr<Long> count = ct.root().get(); // all threads find it,
        ct.fetchAndAdd(count.raw(), 1); // and work on it
        ct.barrier();
        if (ct.index() == 0) {
            System.out.println("node " + ct.nodeId() + ": " + ct.read(count.raw()) + " threads were here");
        }
    }
    // #endregion work
}
