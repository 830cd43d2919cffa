// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import org.jspecify.annotations.Nullable;

/**
 * A thread's futures. They are reused in the order of their release, as late as possible, so that a future that is
 * awaited twice is detected.
 */
final class FuturePool {
    /** The number of futures beyond the thread's maximum: for the framework's own READs, and for late reuse. */
    private static final int SPARE = 32;

    private final RemoteFuture[] all;

    /** The free futures, a ring of {@code free} entries from {@code first} on. */
    private final RemoteFuture[] ring;

    private final int maxOutstanding;
    private int first;
    private int free;

    /** The number of futures that the thread has taken. */
    private int taken;

    /**
     * Creates the pool.
     *
     * @param awaiter executes the operations
     * @param sleeper the thread's sleeper
     * @param maxOutstanding the maximum number that the thread may have at a time ({@code --cn-ops-per-thread})
     */
    FuturePool(RemoteFuture.Awaiter awaiter, Sleeper sleeper, int maxOutstanding) {
        this.maxOutstanding = maxOutstanding;
        all = new RemoteFuture[maxOutstanding + SPARE];
        ring = new RemoteFuture[maxOutstanding + SPARE];
        for (int i = 0; i < all.length; i++) {
            all[i] = new RemoteFuture(awaiter, sleeper, i);
            ring[i] = all[i];
        }
        free = all.length;
    }

    int size() {
        return all.length;
    }

    RemoteFuture get(int slot) {
        return all[slot];
    }

    /** Whether the thread has the maximum number of futures. */
    boolean isExhausted() {
        return taken == maxOutstanding;
    }

    /** A future for the thread, unless {@link #isExhausted}. */
    RemoteFuture take() {
        taken++;
        return next();
    }

    /** A future for the framework; null if there is none. */
    @Nullable
    RemoteFuture takeSpare() {
        return free == maxOutstanding - taken ? null : next(); // the others are reserved for the thread
    }

    private RemoteFuture next() {
        RemoteFuture future = ring[first];
        first = first + 1 == ring.length ? 0 : first + 1;
        free--;
        return future;
    }

    /** Releases a future of the thread. */
    void release(RemoteFuture future) {
        taken--;
        releaseSpare(future);
    }

    /** Releases a future of the framework. */
    void releaseSpare(RemoteFuture future) {
        future.idle();
        int end = first + free;
        ring[end >= ring.length ? end - ring.length : end] = future;
        free++;
    }
}
