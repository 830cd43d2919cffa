// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/** A reusable batch of completions, filled by {@link Lane#poll}. Belongs to one thread. */
public final class Completions {
    private final long[] id;
    private final CompletionStatus[] status;
    private int size;

    /** @param capacity the maximum number of completions that one poll returns, at least 1 */
    public Completions(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch of " + capacity + " completions: needs at least 1");
        }
        id = new long[capacity];
        status = new CompletionStatus[capacity];
    }

    /** Empties the batch. */
    public Completions clear() {
        size = 0;
        return this;
    }

    /** For fabric implementations: appends a completion. */
    public void add(long id, CompletionStatus status) {
        this.id[size] = id;
        this.status[size] = status;
        size++;
    }

    /** The number of completions in the batch. */
    public int size() {
        return size;
    }

    /** Whether the batch has no room for more. */
    public boolean isFull() {
        return size == id.length;
    }

    /** The id given to the request by {@link Chain#signalled}; 0 for an unsignalled request that failed. */
    public long id(int i) {
        return id[i];
    }

    /** How the request ended. */
    public CompletionStatus status(int i) {
        return status[i];
    }
}
