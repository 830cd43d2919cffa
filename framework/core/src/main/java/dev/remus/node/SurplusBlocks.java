package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import java.util.Arrays;

/**
 * Moves many free blocks of one thread to the shared lists: as one chain for each Memory Node, with all links in flight
 * at once and one COMPARE_AND_SWAP.
 */
final class SurplusBlocks {
    private final FreeLists free;
    private final SharedFreeLists shared;
    private final Placement placement;
    private final int firstNode;

    // The chain of each Memory Node; null if it is empty.
    private final long[] first;
    private final long[] last;

    SurplusBlocks(ClusterConfig config, FreeLists free, SharedFreeLists shared, Placement placement) {
        this.free = free;
        this.shared = shared;
        this.placement = placement;
        this.firstNode = config.firstMemoryNode();
        this.first = new long[config.memoryNodes()];
        this.last = new long[config.memoryNodes()];
    }

    /** Moves the blocks of this size that were freed last. */
    void share(long bytes, int count) {
        Arrays.fill(first, RdmaPtr.NULL);
        for (int i = 0; i < count; i++) {
            long block = free.take(bytes);
            int node = RdmaPtr.node(block) - firstNode;
            if (first[node] == RdmaPtr.NULL) {
                last[node] = block;
            } else {
                shared.link(block, first[node]);
            }
            first[node] = block;
        }
        if (count > 1) {
            placement.placeAll(); // the links, before another thread can find them
        }
        for (int node = 0; node < first.length; node++) {
            if (first[node] != RdmaPtr.NULL) {
                shared.put(first[node], last[node], bytes);
            }
        }
    }
}
