package dev.remus.examples.bench.suite;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Memory Nodes and one Compute Node, all in this process. */
public final class BenchCluster {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ClusterConfig config;

    /**
     * A cluster.
     *
     * @param fabric the name of what carries the operations
     * @param others what else is to be configured
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
        config = Fabric.of(builder.build())
                .localHost()
                .map(host -> builder.hosts(Collections.nCopies(memoryNodes + 1, host))
                        .build())
                .orElseGet(builder::build);
    }

    /** The same without anything else. */
    public BenchCluster(String fabric, int memoryNodes, int threads, int segmentSizeLog2) {
        this(fabric, memoryNodes, threads, segmentSizeLog2, UnaryOperator.identity());
    }

    /** Runs the body in all Compute Threads. */
    public void run(ComputeNode.Body body) throws Exception {
        Fabric fabric = Fabric.of(config);
        List<MemoryNode> memories = new ArrayList<>();
        try {
            for (int id = 0; id <= config.lastMemoryNode(); id++) {
                memories.add(MemoryNode.start(config, id, fabric));
            }
            try (ComputeNode compute = ComputeNode.connect(config, config.firstComputeNode(), fabric)) {
                compute.runThreads(body);
            }
        } finally {
            memories.forEach(MemoryNode::close);
        }
    }
}
