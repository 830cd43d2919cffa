// SPDX-License-Identifier: Apache-2.0
package dev.remus.verify;

/**
 * Bounds of the difference between the clocks of two machines: the other's reading minus ours at the same moment, in
 * nanoseconds.
 *
 * @param low the least that it can be
 * @param high the most that it can be
 */
record ClockBounds(long low, long high) {
    /** One clock. */
    static final ClockBounds SAME = new ClockBounds(0, 0);

    ClockBounds {
        if (low > high) {
            throw new IllegalArgumentException("a clock that differs by at least " + low + " and at most " + high);
        }
    }

    /**
     * Bounds from one exchange of messages.
     *
     * @param before our reading before the other machine was asked
     * @param reading the other machine's reading
     * @param after our reading after it had answered
     */
    static ClockBounds of(long before, long reading, long after) {
        return new ClockBounds(reading - after, reading - before);
    }

    /** The bounds that are closer together. */
    ClockBounds tighter(ClockBounds other) {
        return other.width() < width() ? other : this;
    }

    /**
     * Bounds for the whole time between two measurements. The clocks may have drifted in between, not always at the
     * same rate: the bounds reach as far beyond both measurements as these differ.
     */
    ClockBounds until(ClockBounds end) {
        long drift = Math.abs(end.low + end.width() / 2 - low - width() / 2);
        return new ClockBounds(Math.min(low, end.low) - drift, Math.max(high, end.high) + drift);
    }

    /** Our earliest reading at the moment of one of the other clock. */
    long earliest(long reading) {
        return reading - high;
    }

    /** Our latest reading at the moment of one of the other clock. */
    long latest(long reading) {
        return reading - low;
    }

    /** The most by which the middle of the bounds can be wrong. */
    long error() {
        return (width() + 1) / 2;
    }

    private long width() {
        return high - low;
    }
}
