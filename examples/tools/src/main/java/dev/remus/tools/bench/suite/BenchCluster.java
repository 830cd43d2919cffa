// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A cluster of Memory Nodes and one Compute Node, all in this process. */
public final class BenchCluster {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ClusterConfig config;

    /**
     * Configures a cluster.
     *
     * @param fabric the name of the fabric
     * @param others applies further settings
     */
    public BenchCluster(
            String fabric,
            int memoryNodes,
            int threads,
            int segmentSizeLog2,
            UnaryOperator<ClusterConfig.Builder> others) {
        ClusterConfig.Builder builder = others.apply(ClusterConfig.builder())
                .fabric(fabric)
                .cluster("bench-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet())
                .memoryNodes(0, memoryNodes - 1)
                .computeNodes(memoryNodes, memoryNodes)
                .threadsPerNode(threads)
                .segmentSizeLog2(segmentSizeLog2);
        ClusterConfig unplaced = builder.build();
        config = Fabric.of(unplaced)
                .localHost(unplaced)
                .map(host -> builder.hosts(Collections.nCopies(memoryNodes + 1, host))
                        .build())
                .orElse(unplaced);
    }

    /** Configures a cluster without further settings. */
    public BenchCluster(String fabric, int memoryNodes, int threads, int segmentSizeLog2) {
        this(fabric, memoryNodes, threads, segmentSizeLog2, UnaryOperator.identity());
    }

    /**
     * Runs the body in all Compute Threads. When this process receives a signal to end, their next operation throws an
     * exception.
     */
    public void run(ComputeNode.Body body) throws Exception {
        AtomicReference<ComputeNode> running = new AtomicReference<>();
        try (GracefulShutdown end = new GracefulShutdown(() -> abort(running.get()))) {
            Fabric fabric = Fabric.of(config);
            List<MemoryNode> memories = new ArrayList<>();
            try {
                for (int id = 0; id <= config.lastMemoryNode(); id++) {
                    memories.add(MemoryNode.start(config, id, fabric));
                }
                try (ComputeNode compute = ComputeNode.connect(config, config.firstComputeNode(), fabric)) {
                    running.set(compute);
                    if (end.hasBegun()) {
                        abort(compute);
                    }
                    compute.runThreads(body);
                }
            } finally {
                Thread.interrupted(); // an interrupt of the measurement must not interrupt the clean-up
                memories.forEach(MemoryNode::close);
            }
        }
    }

    private static void abort(@Nullable ComputeNode compute) {
        if (compute != null) {
            compute.abort("its process was asked to end");
        }
    }
}
