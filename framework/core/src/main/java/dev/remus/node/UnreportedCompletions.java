// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

/**
 * A thread's operations to one Memory Node that have completed but were not reported to the thread.
 *
 * <pre>
 *  ids   ... | reported | unreported | not ended | unreported | ...    a ring of the last ids
 *  ring      |    0     |    id      |     0     |    id      |
 * </pre>
 *
 * <p>An id that is displaced by a later one stays unreported until the next report. Used by the thread that owns the
 * operations.
 */
final class UnreportedCompletions {
    /** By id, modulo the size: the id if it is unreported, else 0. */
    private final long[] ring;

    private int count;
    private long newest;
    private long reportedUpTo;

    /** Whether a displaced id is unreported. */
    private boolean older;

    /** @param size the number of ids with a place of their own, a power of two */
    UnreportedCompletions(int size) {
        ring = new long[size];
    }

    private int at(long id) {
        return (int) id & ring.length - 1;
    }

    boolean isAny() {
        return count > 0 || older;
    }

    /** The largest id that has ended. */
    long newest() {
        return newest;
    }

    /** An operation has ended. */
    void ended(long id) {
        int i = at(id);
        if (ring[i] == 0) {
            count++;
        } else {
            older = true;
        }
        ring[i] = id;
        newest = Math.max(newest, id);
    }

    /** The end of an operation was reported. */
    void reported(long id) {
        int i = at(id);
        if (ring[i] == id) {
            ring[i] = 0;
            count--;
        }
    }

    /** The ends of all operations up to an id were reported. */
    void reportedUpTo(long id) {
        for (long each = Math.max(reportedUpTo, id - ring.length) + 1; each <= id && count > 0; each++) {
            reported(each);
        }
        reportedUpTo = Math.max(reportedUpTo, id);
        older &= newest - ring.length > id;
    }

    /** The ends of all operations were reported. */
    void reportedAll() {
        for (int i = 0; i < ring.length && count > 0; i++) {
            count -= ring[i] == 0 ? 0 : 1;
            ring[i] = 0;
        }
        older = false;
    }
}
