package dev.remus.fabric;

/** A reusable batch of completions, filled by {@link Lane#poll}. Belongs to one thread. */
public final class Completions {
    private final long[] id;
    private final CompletionStatus[] status;
    private int size;

    /** @param capacity the most completions that one poll can return, at least 1 */
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

    /** How many completions it holds. */
    public int size() {
        return size;
    }

    /** Whether it can take no more. */
    public boolean isFull() {
        return size == id.length;
    }

    /** The id that the request was given when it was {@link Chain#signalled}; 0 for a failed unsignalled one. */
    public long id(int i) {
        return id[i];
    }

    /** How the request ended. */
    public CompletionStatus status(int i) {
        return status[i];
    }
}
