package dev.remus.node;

/**
 * Which of a thread's operations to one Memory Node have completed without the thread having been told.
 *
 * <pre>
 *  ids   ... | told | untold | not ended | untold | ...        a ring: the last ids, as many as it has places
 *  ring      |  0   |  id    |     0     |  id    |
 * </pre>
 *
 * <p>An id that has to make room for a later one stays untold until the next report. Used by the thread that owns the
 * operations.
 */
final class UntoldCompletions {
    /** By id, modulo the size: the id if it is untold, else 0. */
    private final long[] ring;

    private int count;
    private long newest;
    private long toldUpTo;

    /** Whether an id is untold that had to make room. */
    private boolean older;

    /** @param size how many ids are told apart, a power of two */
    UntoldCompletions(int size) {
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

    /** The thread has been told that one has ended. */
    void told(long id) {
        int i = at(id);
        if (ring[i] == id) {
            ring[i] = 0;
            count--;
        }
    }

    /** The thread has been told that all up to an id have ended. */
    void toldUpTo(long id) {
        for (long each = Math.max(toldUpTo, id - ring.length) + 1; each <= id && count > 0; each++) {
            told(each);
        }
        toldUpTo = Math.max(toldUpTo, id);
        older &= newest - ring.length > id;
    }

    /** The thread has been told of all that have ended. */
    void toldOfAll() {
        for (int i = 0; i < ring.length && count > 0; i++) {
            count -= ring[i] == 0 ? 0 : 1;
            ring[i] = 0;
        }
        older = false;
    }
}
