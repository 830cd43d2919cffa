// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page1;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;

/** A whole cluster in one process, whose three threads count in one word of remote memory. */
public final class FirstSteps {
    private FirstSteps() {}

    /** Takes no arguments. */
    public static void main(String... args) throws Exception {
        // #region cluster
        ClusterConfig config = ClusterConfig.builder()
                .cluster("first-steps-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .threadsPerNode(3)
                .build();
        try (MemoryNode memory = MemoryNode.start(config, 0);
                ComputeNode compute = ComputeNode.connect(config, 1)) {
            compute.runThreads(FirstSteps::count);
        }
        // #endregion cluster
    }

    // #region count
    private static void count(ComputeThread ct) {
        if (ct.id() == 0) {
            RdmaPtr<Long> word = new RdmaPtr<>(ct.allocate(Long.BYTES));
            ct.write(word.raw(), 100);
            ct.root().set(word);
        }
        ct.barrier(); // from here on, all threads can find the word

        RdmaPtr<Long> word = ct.root().get();
        ct.fetchAndAdd(word.raw(), 1);
        ct.barrier(); // from here on, all threads have counted

        if (ct.id() == 0) {
            System.out.println("the word at " + word + " is " + ct.read(word.raw()));
        }
    }
    // #endregion count
}
