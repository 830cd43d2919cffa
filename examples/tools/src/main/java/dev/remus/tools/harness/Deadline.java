// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import java.util.function.LongSupplier;

/**
 * A deadline that one thread checks before each of its operations. It reads the clock about every 20 µs, or before each
 * operation if operations take longer, so short operations pay little for it.
 */
public final class Deadline {
    private static final long NANOS_BETWEEN_READINGS = 20_000;

    /** The most operations between two clock readings: few enough if the next operations take much longer. */
    private static final long MAX_OPERATIONS_BETWEEN_READINGS = 64;

    private final LongSupplier clock;
    private final long start;
    private final long nanos;
    private long lastReading;

    /** The number of operations from the last clock reading to the next. */
    private long stride;

    private long left;
    private boolean over;

    /** A deadline this many nanoseconds from now; none with {@link Long#MAX_VALUE}. */
    Deadline(long nanos, LongSupplier clock) {
        this.nanos = nanos;
        this.clock = clock;
        this.start = clock.getAsLong();
        this.lastReading = start;
    }

    /** Whether the deadline has passed. Call it before each operation. */
    public boolean isOver() {
        return --left <= 0 && checkClock();
    }

    private boolean checkClock() {
        if (over) {
            return true; // left stays 0, so the next call gets here too
        }
        if (nanos == Long.MAX_VALUE) {
            left = Long.MAX_VALUE;
            return false;
        }
        long now = clock.getAsLong();
        long each = stride == 0 ? NANOS_BETWEEN_READINGS : (now - lastReading) / stride;
        lastReading = now;
        stride = Math.max(1, Math.min(MAX_OPERATIONS_BETWEEN_READINGS, NANOS_BETWEEN_READINGS / (each + 1)));
        over = now - start >= nanos;
        left = over ? 0 : stride;
        return over;
    }
}
