// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;

/**
 * The pauses of a thread that loses races for one word: random ones, from a range that each loss doubles and each win
 * halves. So about half of the attempts win, however many threads compete: their number sets the range, and no thread
 * has to know it.
 *
 * <p>The range lasts from one operation to the next. Otherwise each operation of a thousand threads would lose ten
 * races or so before it has found the range again, and these attempts alone would keep the word busy.
 */
final class RandomBackoff {
    private static final long SHORTEST_NANOS = 500;

    /** 8 ms: ten thousand threads then try about as often as a card admits atomics on one word. */
    private static final long LONGEST_NANOS = SHORTEST_NANOS << 14;

    /** After a pause of about two round trips, the word has changed again if other threads compete for it. */
    private static final long STALE_NANOS = 4_000;

    /** The next pause is shorter than twice this; 0 if this thread loses hardly any race. */
    private long range;

    /** This thread has won a race. */
    void won() {
        range = range > SHORTEST_NANOS ? range / 2 : 0;
    }

    /** Pauses after a race that was lost; returns whether for so long that the word should be READ before the next. */
    boolean lost(ComputeThread ct) {
        if (range == 0) {
            range = SHORTEST_NANOS;
            ct.pause();
            return false;
        }
        range = Math.min(LONGEST_NANOS, 2 * range);
        long nanos = range / 2 + ct.random().nextLong(range / 2);
        ct.pause(nanos);
        return nanos >= STALE_NANOS;
    }
}
