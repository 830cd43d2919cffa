// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page3;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.SegmentHeader;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.MemoryNode;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;

/**
 * Solution of the exercise: each thread allocates a few blocks, and each Memory Node prints the number in each segment.
 */
public final class ReportingMemory {
    private static final int BLOCKS = 16;
    private static final int BLOCK_BYTES = 64;

    private ReportingMemory() {}

    /** Takes the options of the framework. */
    public static void main(String... args) throws Exception {
        OptionSet options = new OptionSet("reporting-memory", "Prints how many blocks are allocated in each segment.")
                .include(RemusOptions.groups());
        try {
            Arguments arguments = options.parse(args);
            run(RemusOptions.clusterConfig(arguments), RemusOptions.nodeId(arguments));
        } catch (UsageException e) {
            e.printTo(System.err);
            System.exit(UsageException.EXIT_STATUS);
        }
    }

    private static void run(ClusterConfig config, int id) throws Exception {
        try (MemoryNode memory = config.isMemoryNode(id) ? MemoryNode.start(config, id) : null) {
            if (config.isComputeNode(id)) {
                try (ComputeNode compute = ComputeNode.connect(config, id)) {
                    compute.runThreads(ReportingMemory::work);
                }
            }
            if (memory != null) {
                memory.awaitFinished();
                for (int segment = 0; segment < config.segmentsPerNode(); segment++) {
                    long blocks = (memory.allocated(segment) - SegmentHeader.BYTES) / BLOCK_BYTES;
                    System.out.println("node " + id + ", segment " + segment + ": " + blocks + " blocks");
                }
            }
        }
    }

    private static void work(ComputeThread ct) {
        for (int i = 0; i < BLOCKS; i++) {
            ct.allocate(BLOCK_BYTES);
        }
    }
}
