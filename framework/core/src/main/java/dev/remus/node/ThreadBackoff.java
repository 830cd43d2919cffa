package dev.remus.node;

import dev.remus.fabric.Environment;

/**
 * The back-off of a thread's own loops: pauses grow while a loop waits, and are short again once the thread has done
 * other work. A loss that ends the run ends the loop.
 */
final class ThreadBackoff {
    /** A waiter reads a word, and perhaps tries to change it, between two pauses. */
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

    /** Implements {@link ComputeThread#pause}. */
    void pause() {
        membership.check();
        long roundTrips = metrics.roundTrips();
        if (roundTrips - roundTripsAtLastPause > ROUND_TRIPS_OF_A_WAIT) {
            backoff.reset();
        }
        roundTripsAtLastPause = roundTrips;
        backoff.pause();
    }

    /** Implements {@link ComputeThread#pauseFor}. */
    void pauseFor(int computeNode) {
        membership.check(computeNode);
        pause();
    }
}
