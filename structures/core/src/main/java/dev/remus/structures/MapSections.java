// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

/**
 * How the directory of a hash map is divided into sections, each of which is a block of its own. The first section has
 * the first 64 entries. After that, each doubling of the directory adds up to 32 sections of equal size, of 64 entries
 * or more:
 *
 * <pre>
 *   entries      0..63   64..127   128..255   256..511   ...   2048..4095   4096..8191   ...
 *   sections     1       1         2          4                32           32
 *   of entries   64      64        64         64               64           128
 * </pre>
 *
 * <p>So a directory grows by small steps: nothing is ever copied, and the largest block that one of 2^23 entries
 * allocates at a time has 1 MB.
 */
final class MapSections {
    private static final int SMALLEST_SHIFT = 6;
    private static final int SMALLEST = 1 << SMALLEST_SHIFT;
    private static final int DIVISION_SHIFT = 5;
    private static final int DIVISION = 1 << DIVISION_SHIFT;

    /** The number of sections of the largest directory; some of the first doublings are not needed. */
    static final int COUNT = 1 + (MapWords.MAX_DEPTH - SMALLEST_SHIFT) * DIVISION;

    private MapSections() {}

    /** The section of an entry. */
    static int of(long index) {
        if (index < SMALLEST) {
            return 0;
        }
        int doubling = doubling(index);
        return 1 + (doubling - SMALLEST_SHIFT) * DIVISION + (int) ((index ^ 1L << doubling) >>> shift(doubling));
    }

    /** The place of an entry in its section. */
    static long place(long index) {
        return index < SMALLEST ? index : index & (1L << shift(doubling(index))) - 1;
    }

    /** The number of entries of a section. */
    static long entries(int section) {
        return section == 0 ? SMALLEST : 1L << shift(doublingOf(section));
    }

    /** The index of a section's first entry. */
    static long first(int section) {
        int doubling = doublingOf(section);
        return section == 0 ? 0 : (1L << doubling) + ((long) ((section - 1) % DIVISION) << shift(doubling));
    }

    /** The number of the highest bit: a doubling adds all entries that have the same one. */
    private static int doubling(long index) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(index);
    }

    private static int doublingOf(int section) {
        return SMALLEST_SHIFT + (section - 1) / DIVISION;
    }

    private static int shift(int doubling) {
        return Math.max(SMALLEST_SHIFT, doubling - DIVISION_SHIFT);
    }
}
