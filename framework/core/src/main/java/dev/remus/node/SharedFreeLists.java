package dev.remus.node;

import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;

/**
 * Free blocks that any thread may take: for each Memory Node and small size a linked stack, with its head in segment 0.
 * A thread that frees more than it allocates puts its surplus here. So a run of any length, in which threads insert and
 * remove at random, needs no more memory than is in use at once.
 *
 * <pre>
 *  head   63                38 37       32 31                           0
 *        +--------------------+-----------+------------------------------+
 *        | generation         | segment   | offset / 64, 0 for no block  |
 *        +--------------------+-----------+------------------------------+
 *  first word of a free block: the head's lower 38 bits when the block was put
 * </pre>
 *
 * <p>The lists are Treiber stacks. Each take raises the generation, so that a thread that was delayed between reading a
 * block's link and its COMPARE_AND_SWAP cannot install that link after the block was taken and put back (ABA). The link
 * is placed before the block is reachable. A block's first word may be read here after another thread has taken the
 * block and written to it. The COMPARE_AND_SWAP then fails, and the value is dropped.
 */
final class SharedFreeLists {
    private static final int REFERENCE_BITS = 38;
    private static final long REFERENCE = (1L << REFERENCE_BITS) - 1;
    private static final long OFFSET = (1L << 32) - 1;

    private final CheckedMemory memory;
    private final ThreadBackoff backoff;
    private final SegmentLayout layout;

    SharedFreeLists(CheckedMemory memory, ThreadBackoff backoff, SegmentLayout layout) {
        this.memory = memory;
        this.backoff = backoff;
        this.layout = layout;
    }

    /** Whether blocks of this size are shared. */
    static boolean takes(long bytes) {
        return bytes <= (long) SegmentLayout.SHARED_LISTS * SegmentLayout.BLOCK;
    }

    /** Puts a free block on its list, where any thread may take it. */
    void put(long block, long bytes) {
        put(block, block, bytes);
    }

    /** Posts the WRITE that makes a block the one before another of its Memory Node, in a chain for {@link #put}. */
    void link(long block, long next) {
        memory.post(block, reference(next));
    }

    /** Puts a chain of free blocks on their list at once. Their links, except the last one's, have been placed. */
    void put(long first, long last, long bytes) {
        long head = head(RdmaPtr.node(first), bytes);
        long reference = reference(first);
        long seen = memory.readHeader(head);
        while (true) {
            memory.write(last, seen & REFERENCE);
            long found = memory.compareAndSwapHeader(head, seen, seen & ~REFERENCE | reference);
            if (found == seen) {
                return;
            }
            seen = found;
            backoff.pause();
        }
    }

    /** Takes a free block of a Memory Node; null if there is none. */
    long take(int memoryNode, long bytes) {
        if (!takes(bytes)) {
            return RdmaPtr.NULL;
        }
        long head = head(memoryNode, bytes);
        long seen = memory.readHeader(head);
        while ((seen & OFFSET) != 0) {
            long block = block(memoryNode, seen);
            memory.checkBlock(block, bytes); // a damaged head must not become a block
            long below = memory.read(block) & REFERENCE;
            long nextGeneration = (seen & ~REFERENCE) + (1L << REFERENCE_BITS);
            long found = memory.compareAndSwapHeader(head, seen, nextGeneration | below);
            if (found == seen) {
                return block;
            }
            seen = found;
            backoff.pause();
        }
        return RdmaPtr.NULL;
    }

    private long head(int memoryNode, long bytes) {
        return layout.sharedList(memoryNode, (int) (bytes / SegmentLayout.BLOCK) - 1);
    }

    private static long reference(long block) {
        return (long) RdmaPtr.segment(block) << 32 | RdmaPtr.offset(block) / SegmentLayout.BLOCK;
    }

    private static long block(int memoryNode, long reference) {
        int segment = (int) (reference >>> 32) & RdmaPtr.MAX_SEGMENT;
        return RdmaPtr.raw(memoryNode, segment, (reference & OFFSET) * SegmentLayout.BLOCK);
    }
}
