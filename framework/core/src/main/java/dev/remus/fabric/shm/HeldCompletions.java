// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.Chain;

/**
 * The completions of a lane that the emulated hardware has not reported yet. Requests are executed when they are
 * posted, and their results are there; only the completion is late. Not thread-safe: its lane has a lock.
 *
 * <pre>
 *  a ring of {@code depth}
 *  +--------+--------+--------+-----+
 *  | due    | due    | due    | ... |   the time from which a completion may be polled, in the order of the lane
 *  +--------+--------+--------+-----+
 *    first               waiting
 * </pre>
 */
final class HeldCompletions {
    private final EmulatedPath path;
    private final long[] due;
    private int first;
    private int waiting;
    private long posted;

    HeldCompletions(EmulatedPath path, int depth) {
        this.path = path;
        this.due = new long[depth];
    }

    /** To be called before a chain is executed. */
    void post() {
        posted = System.nanoTime();
    }

    /**
     * Request {@code i} of the chain was executed.
     *
     * @param reports whether it has a completion
     */
    void ended(Chain chain, int i, boolean reports) {
        long completes = path.completes(chain, i, posted);
        if (reports) {
            due[(first + waiting) % due.length] = completes;
            waiting++;
        }
    }

    /** How many of the waiting completions are due. */
    int due() {
        if (waiting == 0) {
            return 0;
        }
        long now = System.nanoTime();
        int count = 0;
        while (count < waiting && due[(first + count) % due.length] - now <= 0) {
            count++;
        }
        return count;
    }

    /** The number of completions. */
    int waiting() {
        return waiting;
    }

    /** The first completions were polled. */
    void polled(int count) {
        first = (first + count) % due.length;
        waiting -= count;
    }
}
