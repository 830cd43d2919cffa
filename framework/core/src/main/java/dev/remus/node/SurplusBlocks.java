// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;

/**
 * Moves free blocks of one thread to the shared lists, and back. It moves many at once: as one chain of bundles for
 * each Memory Node, with all their words in flight at once and one COMPARE_AND_SWAP. It remembers how many blocks the
 * thread left there when it was closed: opened again, it takes as many from there before it takes new memory, so that
 * opening and closing threads does not use up memory. It also remembers when the thread has looked there in vain.
 */
final class SurplusBlocks {
    private final FreeLists free;
    private final SharedFreeLists shared;
    private final Placement placement;

    /** By size class: how many of the blocks that the thread has left are not taken back. */
    private final int[] left = new int[SegmentLayout.SHARED_LISTS];

    private final long lookBytes;

    /** By Memory Node and size class: the new memory that the thread takes before it looks for shared blocks there. */
    private final long[] untilLook;

    /** The blocks that are being shared, those of a Memory Node side by side. */
    private long[] moved = new long[SharedFreeLists.MOST];

    /** @param lookBytes the new memory of a node that the thread takes between two looks for shared blocks of a size */
    SurplusBlocks(FreeLists free, SharedFreeLists shared, Placement placement, int lastMemoryNode, long lookBytes) {
        this.free = free;
        this.shared = shared;
        this.placement = placement;
        this.lookBytes = lookBytes;
        this.untilLook = new long[(lastMemoryNode + 1) * SegmentLayout.SHARED_LISTS];
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

    private static int list(int memoryNode, long bytes) {
        return memoryNode * SegmentLayout.SHARED_LISTS + sizeClass(bytes);
    }

    /** Whether it is time to look for shared blocks of this size on a Memory Node, since there may be some. */
    boolean isDue(int memoryNode, long bytes) {
        return SharedFreeLists.takes(bytes) && untilLook[list(memoryNode, bytes)] <= 0;
    }

    /** Records that the thread has taken a run of new memory, which begins with a block of this size. */
    void tookNew(long block, long bytes, long run) {
        if (SharedFreeLists.takes(bytes)) {
            untilLook[list(RdmaPtr.node(block), bytes)] -= run;
        }
    }

    /** Takes a shared block of a Memory Node, and others with it, which are this thread's own then; null for none. */
    long take(int memoryNode, long bytes) {
        long block = shared.take(memoryNode, bytes);
        if (SharedFreeLists.takes(bytes)) {
            untilLook[list(memoryNode, bytes)] = block == RdmaPtr.NULL ? lookBytes : 0;
        }
        if (block != RdmaPtr.NULL) {
            int others = shared.others();
            for (int number = 1; number <= others; number++) {
                long other = shared.other(number, bytes);
                free.hold(other);
                free.put(other, bytes);
            }
            left[sizeClass(bytes)] = Math.max(0, left[sizeClass(bytes)] - others);
        }
        return block;
    }

    /** Moves the blocks of this size that were freed last. */
    void share(long bytes, int count) {
        if (moved.length < count) {
            moved = new long[Math.max(count, 2 * moved.length)];
        }
        for (int i = 0; i < count; i++) {
            moved[i] = free.take(bytes);
        }
        for (int from = 0; from < count; ) {
            int to = gather(from, count);
            post(from, to);
            from = to;
        }
        if (count > 1) {
            placement.placeAll(); // what was posted, before another thread can find it
        }
        for (int from = 0; from < count; ) {
            int to = from + 1;
            while (to < count && RdmaPtr.node(moved[to]) == RdmaPtr.node(moved[from])) {
                to++;
            }
            int others = (to - 1 - from) % SharedFreeLists.MOST;
            shared.put(moved[from], moved[to - 1 - others], others, bytes);
            from = to;
        }
    }

    /** Moves all blocks that are on the Memory Node of block {@code from} there, and returns where they end. */
    private int gather(int from, int count) {
        int to = from + 1;
        for (int i = to; i < count; i++) {
            long block = moved[i];
            if (RdmaPtr.node(block) == RdmaPtr.node(moved[from])) {
                moved[i] = moved[to];
                moved[to] = block;
                to++;
            }
        }
        return to;
    }

    /** Posts what makes these blocks a chain of bundles, of which the last one is completed when it is put. */
    private void post(int from, int to) {
        for (int first = from; first < to; first += SharedFreeLists.MOST) {
            int end = first + SharedFreeLists.MOST;
            for (int i = first + 1; i < Math.min(end, to); i++) {
                shared.postOther(moved[first], i - first, moved[i]);
            }
            if (end < to) {
                shared.postAbove(moved[first], moved[end]);
            }
        }
    }
}
