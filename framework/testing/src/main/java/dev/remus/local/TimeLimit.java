// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import java.math.BigDecimal;
import java.time.Duration;

/** The time that a cluster has to finish. */
final class TimeLimit {
    private static final int DIGITS_OF_NANOS = 9;

    private TimeLimit() {}

    /** @throws IllegalArgumentException if it is over at once */
    static Duration checked(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("time limit: got " + text(time) + ", needs more than 0 s");
        }
        return time;
    }

    /** The message about a cluster that has reached it. */
    static String exceeded(Duration time) {
        return "the cluster has not finished within " + text(time);
    }

    private static String text(Duration time) {
        BigDecimal seconds =
                BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), DIGITS_OF_NANOS));
        return seconds.stripTrailingZeros().toPlainString() + " s";
    }
}
