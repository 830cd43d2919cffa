// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.RdmaPtr;

/**
 * The root: one word that all threads of the cluster can find, null until a thread has set it.
 *
 * <p>Each call that changes it happens in one step, and first places everything that this thread has written: a thread
 * that reads the new root reads at least that. Belongs to its Compute Thread.
 */
public final class Root {
    private final CheckedMemory memory;
    private final Placement placement;
    private final ThreadBackoff backoff;
    private final long word;

    Root(long word, CheckedMemory memory, Placement placement, ThreadBackoff backoff) {
        this.word = word;
        this.memory = memory;
        this.placement = placement;
        this.backoff = backoff;
    }

    /** The root's value. One round trip. */
    public <T> RdmaPtr<T> get() {
        return new RdmaPtr<>(memory.readHeader(word));
    }

    /**
     * Publishes a pointer to all threads of the cluster. Two round trips, or more while other threads change the root
     * at the same time.
     *
     * @param pointer null or not marked
     */
    public void set(RdmaPtr<?> pointer) {
        getAndSet(pointer);
    }

    /**
     * Sets the root, as {@link #set} does, and returns its old value. Of several threads that swap at the same time,
     * each gets a different pointer.
     *
     * @param pointer null or not marked
     */
    public <T> RdmaPtr<T> getAndSet(RdmaPtr<?> pointer) {
        checkPointer(pointer);
        placement.placeAll();
        long seen = memory.readHeader(word);
        while (true) {
            long found = memory.compareAndSwapHeader(word, seen, pointer.raw());
            if (found == seen) {
                return new RdmaPtr<>(found);
            }
            seen = found;
            backoff.pause();
        }
    }

    /**
     * Sets the root if it is as expected, and returns its old value. One round trip.
     *
     * @param desired null or not marked
     * @return the old value; equal to {@code expected} if and only if the root was set
     */
    public <T> RdmaPtr<T> compareAndExchange(RdmaPtr<?> expected, RdmaPtr<?> desired) {
        checkPointer(desired);
        placement.placeAll();
        return new RdmaPtr<>(memory.compareAndSwapHeader(word, expected.raw(), desired.raw()));
    }

    /** Like {@link #compareAndExchange}, but returns whether the root was set. */
    public boolean compareAndSet(RdmaPtr<?> expected, RdmaPtr<?> desired) {
        return compareAndExchange(expected, desired).equals(expected);
    }

    /**
     * Adds to the root word, with wrap-around, and returns its old value. For a root that is a number, or a pointer
     * that moves through an array. Nothing checks the sum until it is used as a pointer. One round trip.
     */
    public long fetchAndAdd(long delta) {
        placement.placeAll();
        return memory.fetchAndAddHeader(word, delta);
    }

    private void checkPointer(RdmaPtr<?> pointer) {
        if (!pointer.isNull()) {
            memory.check(pointer.raw());
        }
    }
}
