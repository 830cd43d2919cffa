// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;

/**
 * The words of a hash map's buckets: how a slot and the two words of a bucket's header lie in 64 bits.
 *
 * <pre>
 *           63  62  61      57 56        52 51 46 45                           0
 *          +---+---+----------+------------------+------------------------------+
 *  live    | 0 | 0 | length   | fingerprint      | block                        |
 *          +---+---+----------+------------+-----+------------------------------+
 *  frozen  | 0 | 1 | length   | depth      | low | block                        |   moves, or moved, to another bucket
 *          +---+---+----------+------------+-----+------------------------------+
 *  removed | 1 |                                        generation (32 bits)    |   holds no entry
 *          +---+----------------------------------------------------------------+
 *
 *           63                  32  31   30   29                               0
 *          +----------------------+----+----+-----------------------------------+
 *  intake  | generation           | c  | p  | slots that may be filled           |
 *          +----------------------+----+----+-----------------------------------+
 *           63        51 50     46 45                                          0
 *          +------------+---------+---------------------------------------------+
 *  split   | 0          | depth   | next bucket                                 |
 *          +------------+---------+---------------------------------------------+
 * </pre>
 *
 * <p>A block's pointer takes 46 bits: 10 of the Memory Node, 6 of the segment, 30 of the offset in 64-byte units. A
 * length counts 64-byte units; {@link #LONG} stands for all that do not fit. A frozen slot keeps the low bits of its
 * fingerprint. The {@code intake} says which slots an
 * insertion may fill in the present generation; c is set while the bucket is closed for a split, and p is the lowest
 * bit of the depth at which it was closed.
 */
final class MapWords {
    /** The most slots of a bucket, so that one has 256 bytes. */
    static final int MAX_SLOTS = 30;

    /** The most bits of a hash that select a bucket. */
    static final int MAX_DEPTH = 28;

    /** A length that does not fit. */
    static final int LONG = 31;

    static final int UNIT = 64;

    private static final int POINTER_BITS = 46;
    private static final int OFFSET_BITS = 30;
    private static final int UNIT_SHIFT = 6;
    private static final int PLACE_SHIFT = 48;
    private static final long POINTER = (1L << POINTER_BITS) - 1;
    private static final long REMOVED = 1L << 63;
    private static final long FROZEN = 1L << 62;
    private static final int LENGTH_SHIFT = 57;
    private static final int FIVE_BITS = 31;
    private static final int FINGERPRINT_BITS = 11;
    private static final long FINGERPRINT = (1L << FINGERPRINT_BITS) - 1 << POINTER_BITS;
    private static final int FROZEN_DEPTH_SHIFT = 52;
    private static final long FROZEN_DEPTH = (long) FIVE_BITS << FROZEN_DEPTH_SHIFT;
    private static final long CLOSED = 1L << 31;
    private static final int PARITY_SHIFT = 30;
    private static final int GENERATION_SHIFT = 32;
    private static final int SLOTS = (1 << MAX_SLOTS) - 1;

    private MapWords() {}

    // ------------------------------------------------------------------------------------------------ pointers

    private static long pack(long pointer) {
        long offset = pointer & RdmaPtr.MAX_OFFSET;
        if (offset >>> OFFSET_BITS + UNIT_SHIFT != 0) {
            throw new IllegalStateException("the block at (" + RdmaPtr.toString(pointer)
                    + ") lies too far into its segment: a map needs segments of at most 2^36 bytes");
        }
        return pointer >>> PLACE_SHIFT << OFFSET_BITS | offset >>> UNIT_SHIFT;
    }

    /** The block or bucket that a slot or a split word names, null if none. */
    static long pointer(long word) {
        long packed = word & POINTER;
        return packed >>> OFFSET_BITS << PLACE_SHIFT | (packed & (1L << OFFSET_BITS) - 1) << UNIT_SHIFT;
    }

    // ------------------------------------------------------------------------------------------------ slots

    /** A slot with an entry. */
    static long live(long block, long bytes, long hash) {
        long units = Math.min(bytes + UNIT - 1 >>> UNIT_SHIFT, LONG);
        return units << LENGTH_SHIFT | fingerprint(hash) | pack(block);
    }

    private static long fingerprint(long hash) {
        return hash >>> Long.SIZE - FINGERPRINT_BITS << POINTER_BITS;
    }

    /** A live slot's word once it is frozen by the split of a bucket at a depth. */
    static long frozen(long live, int depth) {
        return FROZEN | live & ~FROZEN_DEPTH | (long) depth << FROZEN_DEPTH_SHIFT;
    }

    /** The live word of a frozen one, given the hash of its key. */
    static long thawed(long frozen, long hash) {
        return frozen & ~(FROZEN | FINGERPRINT) | fingerprint(hash);
    }

    /** A slot whose entry was removed in a generation, or that never had one. */
    static long removed(int generation) {
        return REMOVED | generation & 0xFFFF_FFFFL;
    }

    static boolean isRemoved(long slot) {
        return slot < 0;
    }

    /** Whether a slot has an entry that no split is about to move. */
    static boolean isLive(long slot) {
        return (slot & (REMOVED | FROZEN)) == 0;
    }

    static boolean isFrozen(long slot) {
        return (slot & (REMOVED | FROZEN)) == FROZEN;
    }

    /** Whether a frozen slot was frozen by the split of a bucket at this depth. */
    static boolean isFrozenAt(long slot, int depth) {
        return isFrozen(slot) && (slot & FROZEN_DEPTH) == (long) depth << FROZEN_DEPTH_SHIFT;
    }

    /** Whether the entry of a slot may be that of a hash, in a bucket of a depth. */
    static boolean mayHold(long slot, long hash, int depth) {
        long difference = (slot ^ fingerprint(hash)) & FINGERPRINT;
        return isFrozen(slot)
                ? isFrozenAt(slot, depth) && (difference & ~FROZEN_DEPTH) == 0
                : !isRemoved(slot) && difference == 0;
    }

    /** The length of the block in units of 64 bytes, or {@link #LONG}. */
    static int units(long slot) {
        return (int) (slot >>> LENGTH_SHIFT) & FIVE_BITS;
    }

    /** Whether a slot was emptied in a generation or a later one, with wrap-around. */
    static boolean wasRemovedSince(long slot, int generation) {
        return isRemoved(slot) && (int) slot - generation >= 0;
    }

    /** What a slot holds, as text, without its block. */
    static String slotText(long slot) {
        if (isRemoved(slot)) {
            return "empty, generation " + (slot & ~REMOVED);
        }
        return isFrozen(slot)
                ? "frozen at depth " + ((slot & FROZEN_DEPTH) >>> FROZEN_DEPTH_SHIFT)
                : "fingerprint " + Long.toHexString((slot & FINGERPRINT) >>> POINTER_BITS);
    }

    // ------------------------------------------------------------------------------------------------ intake

    /** The intake of an open bucket. */
    static long open(int generation, int slots) {
        return (long) generation << GENERATION_SHIFT | slots;
    }

    /** An open intake once the bucket is closed to split it at a depth. */
    static long closed(long open, int depth) {
        return open | CLOSED | (depth & 1L) << PARITY_SHIFT;
    }

    static boolean isClosed(long intake) {
        return (intake & CLOSED) != 0;
    }

    /** Whether a closed bucket, which has a depth now, was closed at the same depth, so that it is not split yet. */
    static boolean wasClosedAt(long intake, int depth) {
        return (intake >>> PARITY_SHIFT & 1) == (depth & 1);
    }

    static int generation(long intake) {
        return (int) (intake >>> GENERATION_SHIFT);
    }

    /** An intake as text. */
    static String intakeText(long intake) {
        return "generation " + Integer.toUnsignedString(generation(intake)) + (isClosed(intake) ? ", closed" : "")
                + ", slots to fill: " + Integer.toBinaryString(slots(intake));
    }

    /** The slots that may be filled in the generation, as bits. */
    static int slots(long intake) {
        return (int) intake & SLOTS;
    }

    // ------------------------------------------------------------------------------------------------ split

    /** The split word of a bucket of a depth, before a next one, or null. */
    static long split(int depth, long next) {
        return (long) depth << POINTER_BITS | pack(next);
    }

    static int depth(long split) {
        return (int) (split >>> POINTER_BITS) & FIVE_BITS;
    }
}
