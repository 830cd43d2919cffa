package dev.remus.node;

import dev.remus.fabric.Environment;

/** Back-off for polling: waits longer after each miss. */
final class Backoff {
    /** The deadline of a wait without a limit. */
    static final long FOREVER = Long.MAX_VALUE;

    private final Environment environment;
    private int attempt;

    Backoff(Environment environment) {
        this.environment = environment;
    }

    /** To be called when the awaited event has happened. */
    void reset() {
        attempt = 0;
    }

    /** Pauses, longer each time. */
    void pause() {
        environment.pause(attempt);
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
        environment.pause(attempt, left);
        attempt = Math.min(attempt + 1, Integer.MAX_VALUE - 1);
        return true;
    }
}
