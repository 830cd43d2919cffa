// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import java.util.SplittableRandom;

/** The segments from which one thread allocates, and the order in which its policy selects them. */
final class SegmentOrder {
    private final AllocationPolicy policy;
    private final SplittableRandom random;

    /** As pointers to their first byte: segment 0 of each node, then segment 1 of each, and so on. */
    private final long[] segments;

    private final int nodes;
    private int next;

    /**
     * Creates the order of a thread.
     *
     * @param node the node of the thread
     * @param thread the thread's number in the cluster
     */
    SegmentOrder(ClusterConfig config, int node, int thread, SplittableRandom random) {
        this.policy = config.allocationPolicy();
        this.random = random;
        int firstNode = policy.isLocal() ? node : config.firstMemoryNode();
        this.nodes = policy.isLocal() ? 1 : config.memoryNodes();
        this.segments = new long[nodes * config.segmentsPerNode()];
        for (int i = 0; i < segments.length; i++) {
            segments[i] = RdmaPtr.raw(firstNode + i % nodes, i / nodes, 0);
        }
        this.next = thread % segments.length;
    }

    /** All segments, so that the order alternates between nodes. */
    long[] segments() {
        return segments;
    }

    /** The number of nodes. The first so many segments are on different ones. */
    int nodes() {
        return nodes;
    }

    /** The index of the segment for the next block. */
    int pick() {
        return switch (policy) {
            case RAND -> random.nextInt(segments.length);
            case GLOBAL_MOD, LOCAL_MOD -> next;
            case GLOBAL_RR, LOCAL_RR -> {
                int now = next;
                next = (next + 1) % segments.length;
                yield now;
            }
        };
    }
}
