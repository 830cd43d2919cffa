package dev.remus.examples.bench.lists;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.node.ComputeNode;
import dev.remus.node.MemoryNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory Nodes and one Compute Node, all in this process. */
final class ListCluster {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ClusterConfig config;

    /** @param fabric the name of what carries the operations */
    ListCluster(String fabric, int memoryNodes, int threads, int segmentSizeLog2) {
        ClusterConfig.Builder builder = ClusterConfig.builder()
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

    /** Runs the body in all Compute Threads. */
    void run(ComputeNode.Body body) throws Exception {
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
