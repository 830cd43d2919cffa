package dev.remus.node;

import dev.remus.fabric.Environment;

/**
 * The back-off of a thread's own loops: longer pauses the longer a loop waits, and short ones again once the thread has
 * worked in between. A loss that ends the run ends the loop.
 */
final class ThreadBackoff {
    /** A waiter reads a word, and perhaps tries to change it, between one pause and the next. */
    private static final int ROUND_TRIPS_OF_A_WAIT = 2;

    private final Membership membership;
    private final ThreadMetrics metrics;
    private final Backoff backoff;
    private long roundTripsAtLastPause;

    ThreadBackoff(Membership membership, ThreadMetrics metrics, Environment environment) {
        this.membership = membership;
        this.metrics = metrics;
        this.backoff = new Backoff(environment);
    }

    /** See {@link ComputeThread#pause}. */
    void pause() {
        membership.check();
        long roundTrips = metrics.roundTrips();
        if (roundTrips - roundTripsAtLastPause > ROUND_TRIPS_OF_A_WAIT) {
            backoff.reset();
        }
        roundTripsAtLastPause = roundTrips;
        backoff.pause();
    }

    /** See {@link ComputeThread#pauseFor}. */
    void pauseFor(int computeNode) {
        membership.check(computeNode);
        pause();
    }
}
