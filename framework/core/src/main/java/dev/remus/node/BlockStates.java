package dev.remus.node;

import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;

/**
 * The block states of {@code --check-memory}: a state word in remote memory for each block, changed by
 * COMPARE_AND_SWAP. It detects a block that is freed twice, with the wrong size or without an allocation, on any thread
 * and node.
 *
 * <pre>
 *   never allocated (0) --allocate--> LIVE --schedReclaim--> RETIRED
 *                                     ^  |                      |
 *                           allocate  |  | free                 | reclaimDeferred
 *                                     |  v                      |
 *                                     FREE &lt;--------------------+
 * </pre>
 *
 * <p>The word is the block's size in bytes plus the state in the lowest bits, which sizes leave free. Only the word of
 * a block's first 64 bytes is ever set.
 */
final class BlockStates {
    private static final long LIVE = 1;
    private static final long RETIRED = 2;
    private static final long FREE = 3;
    private static final long STATE = 3;

    private final CheckedMemory memory;
    private final SegmentLayout layout;

    BlockStates(CheckedMemory memory, SegmentLayout layout) {
        this.memory = memory;
        this.layout = layout;
    }

    void allocated(long block, long bytes) {
        long word = layout.blockState(block);
        long found = memory.compareAndSwapHeader(word, 0, bytes | LIVE);
        if (found != 0
                && (found != (bytes | FREE) || memory.compareAndSwapHeader(word, found, bytes | LIVE) != found)) {
            throw new IllegalStateException("the allocator handed out the block at (" + RdmaPtr.toString(block)
                    + ") with " + bytes + " bytes, which " + describe(found));
        }
    }

    void freed(long block, long bytes) {
        change(block, bytes, LIVE, FREE);
    }

    void retired(long block, long bytes) {
        change(block, bytes, LIVE, RETIRED);
    }

    void reclaimed(long block, long bytes) {
        change(block, bytes, RETIRED, FREE);
    }

    private void change(long block, long bytes, long from, long to) {
        long found = memory.compareAndSwapHeader(layout.blockState(block), bytes | from, bytes | to);
        if (found != (bytes | from)) {
            throw new InvalidFreeException(
                    block,
                    "the block at (" + RdmaPtr.toString(block) + ") is given back with " + bytes + " bytes, but "
                            + describe(found));
        }
    }

    private static String describe(long word) {
        long bytes = word & ~STATE;
        if ((word & STATE) == LIVE) {
            return "it was allocated with " + bytes + " bytes";
        }
        if ((word & STATE) == RETIRED) {
            return "it has been given to schedReclaim already, with " + bytes + " bytes";
        }
        if ((word & STATE) == FREE) {
            return "it is free already, with " + bytes + " bytes";
        }
        return "no block starts there";
    }
}
