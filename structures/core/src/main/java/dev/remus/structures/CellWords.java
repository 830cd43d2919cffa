// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

/**
 * The words of {@link LockFreeQueue}: how a reference to a cell, a cell's state and a cell's link lie in 64 bits.
 *
 * <pre>
 *               63                         b b-1              0
 *              +----------------------------+------------------+
 *  reference   | generation                 | pool   | index   |
 *              +----------------------------+------------------+
 *  nil         | generation of the cell     | 0                |   a cell without a successor
 *              +----------------------------+------------------+
 *  state       | generation of the cell     | status           |   0, IN_QUEUE or DEQUEUED
 *              +----------------------------+------------------+
 * </pre>
 *
 * <p>Pools are numbered from 1, so that a word of zeros is nil in generation 0 and refers to no cell, and memory filled
 * with zeros is a pool of cells that were never used. The lower part has as many bits as the queue's cells need, at
 * most 32; the generation has all others.
 */
final class CellWords {
    /** Fewest bits of a generation. */
    static final int GENERATION_BITS = 32;

    /** The state of a cell in memory filled with zeros. No other is like it, in any generation: those have a status. */
    static final long NEVER_USED = 0;

    private static final int IN_QUEUE = 1;
    private static final int DEQUEUED = 2;

    private final int pools;
    private final int indexBits;
    private final int numberBits;
    private final long generationMask;

    /**
     * @param pools how many pools there are, at least 2
     * @param cells how many cells each has, at least 2
     */
    CellWords(int pools, int cells) {
        this.pools = pools;
        this.indexBits = bits(cells - 1);
        this.numberBits = indexBits + bits(pools);
        if (numberBits > Long.SIZE - GENERATION_BITS) {
            throw new IllegalArgumentException(
                    pools + " pools of " + cells + " cells: numbering them takes " + numberBits + " bits, and "
                            + (Long.SIZE - GENERATION_BITS) + " at most are left beside a generation");
        }
        this.generationMask = -1L << numberBits;
    }

    private static int bits(int most) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(most);
    }

    /** How many pools there are. */
    int pools() {
        return pools;
    }

    /** How many bits a generation has. */
    int generationBits() {
        return Long.SIZE - numberBits;
    }

    /** The reference to the list's first cell, the only one in the last pool. */
    long firstCell(long generation) {
        return reference(generation, pools, 0);
    }

    /** A reference to a cell. */
    long reference(long generation, int pool, int index) {
        return generation << numberBits | (long) pool << indexBits | index;
    }

    long generation(long word) {
        return word >>> numberBits;
    }

    int pool(long reference) {
        return (int) ((reference & ~generationMask) >>> indexBits);
    }

    int index(long reference) {
        return (int) (reference & ~(-1L << indexBits));
    }

    /** The link of a cell that has no successor, in the generation of a reference to it. */
    long nil(long reference) {
        return reference & generationMask;
    }

    boolean isNil(long link) {
        return (link & ~generationMask) == 0;
    }

    /** The state of a cell that is in the queue, in the generation of a reference to it. */
    long inQueue(long reference) {
        return nil(reference) | IN_QUEUE;
    }

    /** The state of a cell whose item has been taken, in the generation of a reference to it. */
    long dequeued(long reference) {
        return nil(reference) | DEQUEUED;
    }

    boolean isDequeued(long state) {
        return (state & ~generationMask) == DEQUEUED;
    }

    /** A state in words. */
    String stateText(long state) {
        long status = state & ~generationMask;
        return status == IN_QUEUE || status == DEQUEUED
                ? (status == IN_QUEUE ? "IN_QUEUE" : "DEQUEUED") + generationText(state)
                : state == NEVER_USED ? "never used" : "";
    }

    /** A link or a reference in words, without the cell to which it leads. */
    String referenceText(long reference) {
        return (isNil(reference) ? "nil" : "pool " + pool(reference) + ", cell " + index(reference))
                + generationText(reference);
    }

    private String generationText(long word) {
        return ", generation " + Long.toUnsignedString(generation(word));
    }

    boolean isSameGeneration(long word, long other) {
        return ((word ^ other) & generationMask) == 0;
    }

    /** Whether the generation of a word is above that of another, with wrap-around. */
    boolean isLater(long word, long than) {
        return (word & generationMask) - (than & generationMask) > 0;
    }
}
