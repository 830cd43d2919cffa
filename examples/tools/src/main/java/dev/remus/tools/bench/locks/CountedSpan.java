// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

/**
 * The part of a run on the model that counts, which is the same for all threads: from the moment when each of them has
 * acquired the lock a few times until each has acquired it some times more. All threads compete throughout, and those
 * that the lock has served already go on until the last one was served.
 */
final class CountedSpan {
    private static final long NEVER = -1;

    private final int threads;
    private final long uncounted;
    private final long least;
    private int warm;
    private int done;
    private long began = NEVER;
    private long ended = NEVER;

    /**
     * @param uncounted how many acquisitions of each thread come before, at least
     * @param least how many acquisitions of each thread count, at least
     */
    CountedSpan(int threads, long uncounted, long least) {
        this.threads = threads;
        this.uncounted = uncounted;
        this.least = least;
    }

    /**
     * Notes that a thread has acquired the lock, and returns whether that counts.
     *
     * @param before how often it had acquired the lock before
     * @param counted how many of these counted
     * @param now the time in nanoseconds
     */
    synchronized boolean acquired(long before, long counted, long now) {
        boolean counts = began != NEVER && ended == NEVER;
        if (before + 1 == uncounted && ++warm == threads) {
            began = now;
        }
        if (counts && counted + 1 == least && ++done == threads) {
            ended = now;
        }
        return counts;
    }

    synchronized boolean isOver() {
        return ended != NEVER;
    }

    /** How long it lasted, once it is over. */
    synchronized long nanos() {
        return ended - began;
    }
}
