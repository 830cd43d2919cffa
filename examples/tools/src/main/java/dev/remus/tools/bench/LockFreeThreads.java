// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;

/**
 * The threads that compete in {@code bench lock-free}: all in this process, with one Memory Node, or each in a process
 * with a Memory Node of its own. Each race has a cluster of its own, so that all of them find fresh memory.
 */
final class LockFreeThreads {
    private final int threads;
    private final int nodes;
    private final int node;
    private final String name;
    private final Runnable barrier;
    private int races;

    private LockFreeThreads(int threads, int nodes, int node, String name, Runnable barrier) {
        this.threads = threads;
        this.nodes = nodes;
        this.node = node;
        this.name = name;
        this.barrier = barrier;
    }

    /** Threads of this process. */
    static LockFreeThreads inThisProcess(int threads) {
        String name = "bench-" + ProcessHandle.current().pid() + "-" + threads;
        return new LockFreeThreads(threads, 1, 0, name, () -> {});
    }

    /** The thread of this process and those of the others of a cluster, each of which has one. */
    static LockFreeThreads inProcessesOf(ComputeThread ct) {
        return new LockFreeThreads(
                ct.threads(), ct.threads(), ct.nodeId(), ct.config().cluster() + "-race", ct::barrier);
    }

    int count() {
        return threads;
    }

    /** Whether the first thread is in this process. */
    boolean hasFirst() {
        return node == 0;
    }

    /** Waits for the other processes. */
    void await() {
        barrier.run();
    }

    /**
     * Runs the body in all threads, in a new cluster; called in each process.
     *
     * @param bytes the memory that each thread needs
     */
    void run(long bytes, ComputeNode.Body body) throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .fabric("shm")
                .cluster(name + "-" + ++races)
                .memoryNodes(0, nodes - 1)
                .computeNodes(0, nodes - 1)
                .threadsPerNode(threads / nodes)
                .segmentSizeLog2(Long.SIZE - Long.numberOfLeadingZeros(bytes * threads / nodes))
                .build();
        Fabric fabric = Fabric.of(config);
        MemoryNode memory = MemoryNode.start(config, node, fabric);
        try {
            try (ComputeNode compute = ComputeNode.connect(config, node, fabric)) {
                compute.runThreads(body);
            }
            await(); // a Memory Node stays as long as others use it
        } finally {
            memory.close();
        }
    }
}
