// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Detects that the other end of a control connection does not answer although neither end closed it: its machine has no
 * power, or the network is down. A stopped process still answers, because its device or kernel does.
 */
final class LivenessProbe {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Some devices send a lost packet again after 2 s. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final QueuePair pair;
    private long probedAt;

    LivenessProbe(QueuePair pair, long now) {
        this.pair = pair;
        this.probedAt = now;
    }

    /**
     * To be called often. False while the other end does not answer; once the queue pair has failed, for ever.
     *
     * @param hurry whether to probe now, unless a probe is on the way
     */
    boolean isAnswered(long now, boolean hurry) throws IOException {
        pair.poll();
        if (pair.hasFailed()) {
            return false;
        }
        if (pair.isProbing()) {
            return now - probedAt < PATIENCE_NANOS;
        }
        if (hurry || now - probedAt > INTERVAL_NANOS) {
            probedAt = now;
            pair.probe();
        }
        return true;
    }

    /** Since when the other end has not answered, if it does not. */
    long unansweredSince(long now) {
        return pair.isProbing() ? probedAt : now;
    }
}
