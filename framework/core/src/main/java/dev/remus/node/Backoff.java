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

    /** To be called when what was waited for has happened. */
    void reset() {
        attempt = 0;
    }

    /** Waits a little, longer each time. */
    void pause() {
        environment.pause(attempt);
        attempt = Math.min(attempt + 1, Integer.MAX_VALUE - 1);
    }

    /** The same before a deadline; returns false, and does not wait, if that has passed. */
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
