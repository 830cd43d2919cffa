// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.ShadowOperations;
import dev.remus.memory.SegmentLayout;

/**
 * The shadow of blocks with {@code --check-memory}: two words for each unit of 64 bytes.
 *
 * <pre>
 *  state word   63                                  6 5 3 2      0
 *              +-------------------------------------+---+--------+
 *              | of a block's first unit: its size   | 0 | state  |  COMPARE_AND_SWAP
 *              | of its others: bytes from its start | 0 | INSIDE |  WRITE, once: a block keeps its place and size
 *              +-------------------------------------+---+--------+
 *  use word     63              41 40       39           8 7      0
 *              +------------------+---------+-------------+--------+
 *              | 1 + thread that  | whether | when, in ms | words  |  COMPARE_AND_SWAP
 *              | gave it back     | retired |             | marked |
 *              +------------------+---------+-------------+--------+
 * </pre>
 *
 * <p>A unit's marked words are those on which atomics were executed since its block was allocated: word {@code i} has
 * bit {@code i}. The rest of the use word belongs to a block's first unit, and is 0 until the block is given back.
 *
 * <p>Belongs to its Compute Thread.
 */
final class BlockShadow {
    /** How many units are read or written at once. */
    static final int UNITS = 64;

    static final long LIVE = 1;
    static final long RETIRED = 2;
    static final long FREE = 3;
    static final long INSIDE = 4;

    private static final long STATE = 7;
    private static final long MARKS = (1 << SegmentLayout.BLOCK / Long.BYTES) - 1;

    private final ShadowOperations memory;
    private final SegmentLayout layout;
    private final LocalBuffer units;
    private final LocalBuffer unit;

    BlockShadow(ClusterConfig config, ShadowOperations memory, OperationsFactory operations) {
        this.memory = memory;
        this.layout = new SegmentLayout(config);
        this.units = operations.allocateLocal((long) UNITS * SegmentLayout.SHADOW_BYTES);
        this.unit = operations.allocateLocal(SegmentLayout.SHADOW_BYTES);
    }

    /** The state in a state word, 0 if its unit was never allocated. */
    static long state(long word) {
        return word & STATE;
    }

    /** The size or distance in a state word. */
    static long bytes(long word) {
        return word & ~STATE;
    }

    /** The start of the unit that contains a byte. */
    static long unit(long pointer) {
        return pointer & -SegmentLayout.BLOCK;
    }

    /** The mark of a word in a use word. */
    static long mark(long pointer) {
        return 1L << (pointer & SegmentLayout.BLOCK - 1) / Long.BYTES;
    }

    /** READs consecutive units, at most {@link #UNITS}, for {@link #stateWord} and {@link #useWord}. */
    void read(long firstUnit, int count) {
        memory.read(layout.blockState(firstUnit), units, 0, count * SegmentLayout.SHADOW_BYTES);
    }

    long stateWord(int i) {
        return units.getLong((long) i * SegmentLayout.SHADOW_BYTES);
    }

    long useWord(int i) {
        return units.getLong((long) i * SegmentLayout.SHADOW_BYTES + Long.BYTES);
    }

    /** READs one unit, for {@link #stateWord()} and {@link #useWord()}, and leaves the others as they were read. */
    void read(long start) {
        memory.read(layout.blockState(start), unit, 0, SegmentLayout.SHADOW_BYTES);
    }

    long stateWord() {
        return unit.getLong(0);
    }

    long useWord() {
        return unit.getLong(Long.BYTES);
    }

    /** The bytes of the blocks within so many bytes that are allocated, and neither freed nor retired. */
    long liveBytes(long start, long bytes) {
        long live = 0;
        for (long at = 0; at < bytes; at += UNITS * SegmentLayout.BLOCK) {
            int count = (int) Math.min(UNITS, (bytes - at) / SegmentLayout.BLOCK);
            read(start + at, count);
            for (int i = 0; i < count; i++) {
                live += state(stateWord(i)) == LIVE ? bytes(stateWord(i)) : 0;
            }
        }
        return live;
    }

    /** Marks a word, given its unit's use word as it was read. */
    void mark(long pointer, long seenUse) {
        change(unit(pointer), seenUse, mark(pointer), 0);
    }

    /** Records who has given a block back. A use word has room for 23 bits of the thread. */
    void record(long block, int thread, boolean retired, long millis) {
        read(block);
        change(block, useWord(), thread + 1L << 41 | (retired ? 1L << 40 : 0) | (millis & 0xFFFF_FFFFL) << 8, ~MARKS);
    }

    /**
     * Replaces some bits of a use word. Others change only their own bits, a few times, so this ends. May be repeated,
     * so it tries again if a lane breaks.
     */
    private void change(long ofUnit, long seenUse, long set, long clear) {
        long word = layout.blockUse(ofUnit);
        long seen = seenUse;
        for (long next = seen & ~clear | set; next != seen; next = seen & ~clear | set) {
            try {
                long found = memory.compareAndSwap(word, seen, next);
                if (found == seen) {
                    return;
                }
                seen = found;
            } catch (OutcomeUnknownException e) {
                read(ofUnit);
                seen = useWord();
            }
        }
    }

    /** The thread in a use word, -1 if there is none. */
    static int thread(long use) {
        return (int) (use >>> 41) - 1;
    }

    static boolean isRetired(long use) {
        return (use & 1L << 40) != 0;
    }

    /** The time in a use word, which is less than 24 days from now. */
    static long millis(long use, long now) {
        return now - (int) (now - (use >>> 8));
    }

    /** Clears the use words of a block that this thread has just allocated, before any thread can find it. */
    void clear(long block, long bytes) {
        for (long first = 0; first < bytes; first += UNITS * SegmentLayout.BLOCK) {
            int count = (int) Math.min(UNITS, (bytes - first) / SegmentLayout.BLOCK);
            read(block + first, count);
            for (int i = 0; i < count; i++) {
                change(block + first + (long) i * SegmentLayout.BLOCK, useWord(i), 0, -1);
            }
        }
    }

    /** Records how far from the block's start its other units are, at its first allocation. */
    void layOut(long block, long bytes) {
        for (long first = SegmentLayout.BLOCK; first < bytes; first += UNITS * SegmentLayout.BLOCK) {
            int count = (int) Math.min(UNITS, (bytes - first) / SegmentLayout.BLOCK);
            for (int i = 0; i < count; i++) {
                long at = (long) i * SegmentLayout.SHADOW_BYTES;
                units.putLong(at, first + (long) i * SegmentLayout.BLOCK | INSIDE);
                units.putLong(at + Long.BYTES, 0);
            }
            memory.write(layout.blockState(block + first), units, count * SegmentLayout.SHADOW_BYTES);
        }
    }
}
