package dev.remus.fabric.verbs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Notices that the other end of a control connection cannot be reached any more although nobody has ended it: its
 * machine has no power, or the network is gone. A process that is stopped answers, since its device or kernel does.
 */
final class Heartbeat {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Shorter than what some devices take to give up retrying. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final QueuePair pair;
    private long probedAt;

    Heartbeat(QueuePair pair, long now) {
        this.pair = pair;
        this.probedAt = now;
    }

    /** To be called often; false once the other end does not answer. */
    boolean beat(long now) throws IOException {
        pair.poll();
        if (pair.hasFailed()) {
            return false;
        }
        if (pair.isProbing()) {
            return now - probedAt < PATIENCE_NANOS;
        }
        if (now - probedAt > INTERVAL_NANOS) {
            probedAt = now;
            pair.probe();
        }
        return true;
    }
}
