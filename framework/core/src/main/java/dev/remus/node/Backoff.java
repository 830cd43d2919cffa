// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;

/** Back-off for polling: waits longer after each miss. */
final class Backoff {
    /** The deadline of a wait without a limit. */
    static final long FOREVER = Long.MAX_VALUE;

    private final Environment environment;
    private final Environment.Pauses pauses;
    private int attempt;

    Backoff(Environment environment) {
        this.environment = environment;
        this.pauses = environment.newPauses();
    }

    /** To be called when the awaited event has happened. */
    void reset() {
        attempt = 0;
    }

    /** Begins a wait for an operation that was just posted, which takes a round trip. */
    void beginRoundTrip() {
        attempt = 0;
        continueRoundTrip();
    }

    /** The same if this thread may have polled for the operation already, while it spun. */
    void continueRoundTrip() {
        if (attempt == 0) {
            pauses.beforeFirstPoll();
        }
    }

    /** Pauses if that is so short that this thread may hold a lock meanwhile; returns whether it was. */
    boolean spin() {
        if (!pauses.spin(attempt)) {
            return false;
        }
        attempt++;
        return true;
    }

    /** To be called with each operation that ends without a wait: see {@link Environment.Pauses#yieldIfDue}. */
    void yieldIfDue() {
        pauses.yieldIfDue();
    }

    /** Pauses, longer each time. */
    void pause() {
        pauses.pause(attempt, Long.MAX_VALUE);
        attempt = Math.min(attempt + 1, Integer.MAX_VALUE - 1);
    }

    /** Pauses before a deadline. If that has passed, returns false without a pause. */
    boolean pauseUntil(long deadline) {
        if (deadline == FOREVER) {
            pause();
            return true;
        }
        long left = deadline - environment.nanoTime();
        if (left <= 0) {
            return false;
        }
        pauses.pause(attempt, left);
        attempt = Math.min(attempt + 1, Integer.MAX_VALUE - 1);
        return true;
    }
}
