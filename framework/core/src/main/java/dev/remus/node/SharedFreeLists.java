// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Free blocks that any thread may take, in bundles of up to {@value #MOST}: for each Memory Node and small size a
 * linked stack of bundles, with its head in segment 0. A thread that frees more than it allocates puts its surplus
 * here. So a run of any length, in which threads insert and remove at random, needs no more memory than is in use at
 * once. And a thread that only takes what others free needs three round trips for a whole bundle.
 *
 * <pre>
 *  head   63                38 37       32 31                           0
 *        +--------------------+-----------+------------------------------+
 *        | generation         | segment   | offset / 64, 0 for no block  |
 *        +--------------------+-----------+------------------------------+
 *
 *  first block of a bundle, 64 bytes at least
 *         63             41 40        38 37                              0
 *        +-----------------+------------+---------------------------------+
 *  word 0|                 | others     | the bundle below, as in the head|
 *        +-----------------+------------+---------------------------------+
 *       1|                              | the first of the others         |
 *        +------------------------------+---------------------------------+
 *      ...                                up to {@value #OTHERS} others
 * </pre>
 *
 * <p>The lists are Treiber stacks. Each take raises the generation, so that a thread that was delayed between reading
 * the words of a bundle and its COMPARE_AND_SWAP cannot install an old reference after the bundle was taken and put
 * back (ABA). The words are placed before the bundle is reachable, and no thread changes them while it is. They may be
 * read here after another thread has taken the bundle and written to the block: then the COMPARE_AND_SWAP fails, and
 * they are dropped. If a lane breaks with the COMPARE_AND_SWAP of a take, its bundle may be lost.
 */
final class SharedFreeLists {
    /** The most blocks of a bundle, as many as a block has words. */
    static final int MOST = SegmentLayout.BLOCK / Long.BYTES;

    private static final int OTHERS = MOST - 1;
    private static final int REFERENCE_BITS = 38;
    private static final long REFERENCE = (1L << REFERENCE_BITS) - 1;
    private static final long OFFSET = (1L << 32) - 1;

    private final CheckedMemory memory;
    private final ThreadBackoff backoff;
    private final SegmentLayout layout;
    private final LongFunction<LocalBuffer> newLocal;

    /** For the words of a bundle; null before the first, and from a failure on, since it may still be written to. */
    private @Nullable LocalBuffer local;

    private int memoryNode;
    private int others;

    /** @param newLocal allocates local memory */
    SharedFreeLists(
            CheckedMemory memory, ThreadBackoff backoff, SegmentLayout layout, LongFunction<LocalBuffer> newLocal) {
        this.memory = memory;
        this.backoff = backoff;
        this.layout = layout;
        this.newLocal = newLocal;
    }

    /** Whether blocks of this size are shared. */
    static boolean takes(long bytes) {
        return bytes <= (long) SegmentLayout.SHARED_LISTS * SegmentLayout.BLOCK;
    }

    /** Puts a free block on its list, where any thread may take it. */
    void put(long block, long bytes) {
        put(block, block, 0, bytes);
    }

    /** Posts the WRITE that makes a block one of the others of a bundle, from number 1 to at most {@value #OTHERS}. */
    void postOther(long first, int number, long block) {
        memory.post(first + (long) number * Long.BYTES, reference(block));
    }

    /** Posts the WRITE of a full bundle with another one below it, in a chain to be put at once. */
    void postAbove(long first, long below) {
        memory.post(first, (long) OTHERS << REFERENCE_BITS | reference(below));
    }

    /**
     * Puts a chain of bundles on their list at once. What was posted for them has been placed.
     *
     * @param first of the first bundle
     * @param last the first block of the last one
     * @param others how many others the last one has
     */
    void put(long first, long last, int others, long bytes) {
        long head = head(RdmaPtr.node(first), bytes);
        long reference = reference(first);
        long seen = memory.readHeader(head);
        while (true) {
            memory.write(last, (long) others << REFERENCE_BITS | seen & REFERENCE);
            long found = memory.compareAndSwapHeader(head, seen, seen & ~REFERENCE | reference);
            if (found == seen) {
                return;
            }
            seen = found;
            backoff.pause();
        }
    }

    /** Takes the bundle on top of a list of a Memory Node, and returns its first block; null if there is none. */
    long take(int memoryNode, long bytes) {
        if (!takes(bytes)) {
            return RdmaPtr.NULL;
        }
        long head = head(memoryNode, bytes);
        long seen = memory.readHeader(head);
        while ((seen & OFFSET) != 0) {
            long block = block(memoryNode, seen);
            memory.checkBlock(block, bytes); // a damaged head must not become a block
            LocalBuffer words = local == null ? newLocal.apply(SegmentLayout.BLOCK) : local;
            local = null;
            memory.read(block, words, SegmentLayout.BLOCK);
            local = words;
            long word = words.getLong(0);
            long nextGeneration = (seen & ~REFERENCE) + (1L << REFERENCE_BITS);
            long found = memory.compareAndSwapHeader(head, seen, nextGeneration | word & REFERENCE);
            if (found == seen) {
                this.memoryNode = memoryNode;
                this.others = (int) (word >>> REFERENCE_BITS) & OTHERS;
                return block;
            }
            seen = found;
            backoff.pause();
        }
        return RdmaPtr.NULL;
    }

    /** How many others the bundle has that was taken last. */
    int others() {
        return others;
    }

    /** One of these others, from number 1 on. */
    long other(int number, long bytes) {
        if (local == null) {
            throw new IllegalStateException("no bundle was taken");
        }
        long block = block(memoryNode, local.getLong((long) number * Long.BYTES));
        memory.checkBlock(block, bytes);
        return block;
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
