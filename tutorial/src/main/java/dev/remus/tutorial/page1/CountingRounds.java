// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page1;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;

/** Solution of the exercise: every thread counts ten times, and the thread that counted last prints. */
public final class CountingRounds {
    private static final int ROUNDS = 10;

    private CountingRounds() {}

    /** Takes no arguments. */
    public static void main(String... args) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("counting-rounds-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .threadsPerNode(3)
                .build();
        try (MemoryNode memory = MemoryNode.start(config, 0);
                ComputeNode compute = ComputeNode.connect(config, 1)) {
            compute.runThreads(CountingRounds::count);
        }
    }

    private static void count(ComputeThread ct) {
        if (ct.id() == 0) {
            RdmaPtr<Long> word = new RdmaPtr<>(ct.allocate(Long.BYTES));
            ct.write(word.raw(), 0);
            ct.root().set(word);
        }
        ct.barrier();

        RdmaPtr<Long> word = ct.root().get();
        long last = 0;
        for (int i = 0; i < ROUNDS; i++) {
            last = ct.fetchAndAdd(word.raw(), 1) + 1;
        }
        ct.barrier();

        long total = ct.read(word.raw()); // every thread reads the same, since all have counted
        if (last == total) {
            System.out.println("thread " + ct.id() + " counted last: " + total);
        }
    }
}
