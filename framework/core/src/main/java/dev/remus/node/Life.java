// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

/**
 * A life of a Compute Node, from one start to its end, as one word.
 *
 * <pre>
 *  63    61 60                     4 3        0
 * +--------+------------------------+----------+
 * | 0      | incarnation            | number   |
 * +--------+------------------------+----------+
 * </pre>
 *
 * @param incarnation the incarnation of the node ({@link dev.remus.fabric.Incarnation}); 0 if it is not known, as long
 *     as the node has not joined
 * @param number how often the node had come back by then, from 0
 */
record Life(long incarnation, int number) {
    /** The number of bits of {@link #word}. */
    static final int BITS = 61;

    private static final int NUMBER_BITS = 4;

    /** The life of a node that has not joined yet. */
    static final Life UNKNOWN = new Life(0, 0);

    static Life of(long word) {
        return new Life(word >>> NUMBER_BITS, (int) word & (1 << NUMBER_BITS) - 1);
    }

    long word() {
        return incarnation << NUMBER_BITS | number;
    }

    boolean isKnown() {
        return incarnation != 0;
    }
}
