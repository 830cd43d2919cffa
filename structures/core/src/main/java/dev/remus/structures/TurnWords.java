// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.TaggedPointers;

/**
 * The words of the cells of a {@link TurnRing}. A cell serves one position of the queue after another: the position's
 * <em>turn</em> says which of them.
 *
 * <pre>
 *   63                        p + 6 p + 5      p p-1                            0
 *  +-------------------------------+------------+--------------------------------+
 *  | turn                          | ahead      | the item's block, as in a      |
 *  |                               |            | tagged pointer; 0: no item     |
 *  +-------------------------------+------------+--------------------------------+
 *
 *  turn t, ahead a, a block    the item of turn t; the a turns behind it are over
 *  turn t, ahead a, no block   turn t + a is over, and all before it
 *  turn t, 63 ahead, no block  turn t is over, and perhaps turns behind it: the cell is late
 * </pre>
 *
 * <p>A turn is over once its item has been taken, or once nothing may be put into it any more. That can be decided even
 * while the item of an earlier turn is still there; {@code ahead} then counts. A dequeue takes the item out by
 * subtracting the block, whatever {@code ahead} is.
 *
 * <p>A cell gets late if a thread is about to take its item while others use the ring 63 times. Nobody counts any
 * further then. A dequeue passes on without a trace while the item is there. Once it is gone, an enqueue uses the cell
 * only if, since then, the dequeue of its position has not begun.
 *
 * <p>Turns are compared with wrap-around. {@link TaggedPointers} has the layout of the block.
 */
final class TurnWords {
    /** How many bits of a word count the turns ahead, but in tests. */
    static final int AHEAD_BITS = 6;

    private final TaggedPointers pointers;
    private final int tagShift;
    private final int aheadBits;
    private final long mostAhead;

    TurnWords(ClusterConfig config, int aheadBits) {
        this.pointers = new TaggedPointers(config);
        this.tagShift = Long.SIZE - pointers.tagBits();
        this.aheadBits = aheadBits;
        this.mostAhead = (1L << aheadBits) - 1;
    }

    /** How many bits a turn has. */
    int turnBits() {
        return pointers.tagBits() - aheadBits;
    }

    // ------------------------------------------------------------------------------------------------ making words

    /** The item of a turn. */
    long item(long turn, long block) {
        return pointers.word(block, turn << aheadBits);
    }

    /** A turn that is over, with all before it. */
    long over(long turn) {
        return turn << aheadBits + tagShift;
    }

    /**
     * What a word becomes when a turn that is open in it gets over. The item of an earlier turn stays. If that is in a
     * late cell, nothing changes.
     */
    long over(long turn, long word) {
        if (!hasItem(word)) {
            return over(turn) | word & mostAhead << tagShift & (isLate(word) ? -1 : 0);
        }
        long ahead = Math.min(since(turn, word), mostAhead);
        return word & ~(mostAhead << tagShift) | ahead << tagShift;
    }

    /** What to add to a word to take its item away, however far it is ahead. */
    long removal(long word) {
        return -block(word);
    }

    // ------------------------------------------------------------------------------------------------ reading words

    boolean hasItem(long word) {
        return block(word) != 0;
    }

    /** The raw pointer to the block of the item. */
    long pointer(long word) {
        return pointers.pointer(word);
    }

    /** Whether the word has the item of a turn. */
    boolean holds(long turn, long word) {
        return hasItem(word) && since(turn, word) == 0;
    }

    /** Whether a turn is still to come: its item may be put there as soon as there is none of an earlier turn. */
    boolean isOpen(long turn, long word) {
        return since(turn, word) > (isLate(word) ? 0 : ahead(word));
    }

    /** Whether turns behind that of the word may be over as well. */
    boolean isLate(long word) {
        return ahead(word) == mostAhead;
    }

    private long block(long word) {
        return word & (1L << tagShift) - 1;
    }

    private long ahead(long word) {
        return word >>> tagShift & mostAhead;
    }

    /** How many turns one comes behind that of a word; below 0 if it comes before. */
    private long since(long turn, long word) {
        int unused = Long.SIZE - turnBits();
        return (turn - (word >>> tagShift + aheadBits)) << unused >> unused;
    }

    /** The turn in a word as text, without the item. */
    String turnText(long word) {
        return "turn " + (word >>> tagShift + aheadBits) + (ahead(word) == 0 ? "" : ", " + ahead(word) + " ahead")
                + (hasItem(word) ? "" : " over");
    }

    /** A word as text. */
    String toString(long word) {
        return turnText(word) + (hasItem(word) ? ", " + pointers.toString(word) : "");
    }
}
