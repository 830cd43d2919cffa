// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/** The moments at which completions arrive that are on their way back, in nanoseconds. */
final class Arrivals {
    private static final long[] NONE = {};
    private static final int FIRST_CAPACITY = 4;

    /** Empty at first: a simulation may have a million lanes, most of which are never used. */
    private long[] at = NONE;

    private int size;

    /** Adds an arrival behind all others. */
    void append(long when) {
        if (size == at.length) {
            long[] larger = new long[Math.max(FIRST_CAPACITY, 2 * size)];
            System.arraycopy(at, 0, larger, 0, size);
            at = larger;
        }
        at[size++] = when;
    }

    /** Adds an arrival before later ones. */
    void insert(long when) {
        append(when);
        for (int i = size - 1; i > 0 && at[i - 1] > when; i--) {
            at[i] = at[i - 1];
            at[i - 1] = when;
        }
    }

    /** The first arrival in the list; {@link Long#MAX_VALUE} if there is none. */
    long first() {
        return size == 0 ? Long.MAX_VALUE : at[0];
    }

    /** The last arrival in the list; 0 if there is none. */
    long last() {
        return size == 0 ? 0 : at[size - 1];
    }

    /** The number of completions up to the last one that has arrived by then. */
    int count(long until) {
        int count = size;
        while (count > 0 && at[count - 1] > until) {
            count--;
        }
        return count;
    }

    /** Removes the first ones, as far as there are so many; returns the given number. */
    int remove(int count) {
        int removed = Math.min(count, size);
        size -= removed;
        System.arraycopy(at, removed, at, 0, size);
        return count;
    }
}
