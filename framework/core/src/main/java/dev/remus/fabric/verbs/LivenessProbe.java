package dev.remus.fabric.verbs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Detects that the other end of a control connection is unreachable although neither end closed it: its machine has no
 * power, or the network is gone. A stopped process still answers, because its device or kernel does.
 */
final class LivenessProbe {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Shorter than some devices take to give up retrying. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final QueuePair pair;
    private long probedAt;

    LivenessProbe(QueuePair pair, long now) {
        this.pair = pair;
        this.probedAt = now;
    }

    /** To be called often; false once the other end no longer answers. */
    boolean isAnswered(long now) throws IOException {
        pair.poll();
        if (pair.hasFailed()) {
            return false;
        }
        if (pair.isProbing()) {
            return now - probedAt < TIMEOUT_NANOS;
        }
        if (now - probedAt > INTERVAL_NANOS) {
            probedAt = now;
            pair.probe();
        }
        return true;
    }
}
