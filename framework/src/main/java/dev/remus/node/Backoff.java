package dev.remus.node;

import dev.remus.fabric.Environment;

/** How everything waits that looks for something in a loop: longer the more often it has looked in vain. */
final class Backoff {
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
}
