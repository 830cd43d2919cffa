package dev.remus.node;

import org.jspecify.annotations.Nullable;

/**
 * A thread's futures. They are used in turn, so that one that was given back is used again as late as possible: who
 * awaits it once too often is found out.
 */
final class FuturePool {
    /** Beyond those that the thread may have outstanding: for the framework's own READs, and for late reuse. */
    private static final int SPARE = 32;

    private final RemoteFuture[] all;

    /** Those that are free, a ring: {@code free} from {@code first} on. */
    private final RemoteFuture[] ring;

    private final int maxOutstanding;
    private int first;
    private int free;

    /** Those that the thread has been given. */
    private int taken;

    /**
     * Makes all of them.
     *
     * @param awaiter executes the operations
     * @param sleeper the thread
     * @param maxOutstanding how many the thread may have at a time ({@code --cn-ops-per-thread})
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

    /** Whether the thread has all that it may have. */
    boolean isExhausted() {
        return taken == maxOutstanding;
    }

    /** One for the thread, unless {@link #isExhausted}. */
    RemoteFuture take() {
        taken++;
        return next();
    }

    /** One for the framework; null if there is none. */
    @Nullable
    RemoteFuture takeSpare() {
        return free == maxOutstanding - taken ? null : next(); // the others are the thread's
    }

    private RemoteFuture next() {
        RemoteFuture future = ring[first];
        first = first + 1 == ring.length ? 0 : first + 1;
        free--;
        return future;
    }

    /** The thread gives one back. */
    void release(RemoteFuture future) {
        taken--;
        releaseSpare(future);
    }

    /** The framework gives one back. */
    void releaseSpare(RemoteFuture future) {
        future.idle();
        int end = first + free;
        ring[end >= ring.length ? end - ring.length : end] = future;
        free++;
    }
}
