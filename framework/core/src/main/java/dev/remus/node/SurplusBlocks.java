package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.util.Arrays;

/**
 * Moves many free blocks of one thread to the shared lists: as one chain for each Memory Node, with all links in flight
 * at once and one COMPARE_AND_SWAP. It remembers how many blocks the thread left there when it was closed: opened
 * again, it takes as many from there before it takes new memory, so that opening and closing threads does not use up
 * memory.
 */
final class SurplusBlocks {
    private final FreeLists free;
    private final SharedFreeLists shared;
    private final Placement placement;
    private final int firstNode;

    /** By size class: how many of the blocks that the thread has left are not taken back. */
    private final int[] left = new int[SegmentLayout.SHARED_LISTS];

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

    private static int sizeClass(long bytes) {
        return (int) (bytes / SegmentLayout.BLOCK) - 1;
    }

    /** Moves all free blocks of this small size, for {@link #takesBack}. */
    void leave(long bytes) {
        int count = free.size(bytes);
        left[sizeClass(bytes)] += count;
        share(bytes, count);
    }

    /** Whether the next block of this size is to come from the shared lists, in place of one that was left there. */
    boolean takesBack(long bytes) {
        if (!SharedFreeLists.takes(bytes) || left[sizeClass(bytes)] == 0) {
            return false;
        }
        left[sizeClass(bytes)]--;
        return true;
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
