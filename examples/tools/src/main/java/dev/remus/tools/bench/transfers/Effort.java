// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.transfers;

/**
 * The limits of the measurement of one figure.
 *
 * @param nanos the duration, by the clock of the fabric
 * @param maxTransfers the largest number of transfers, for the simulator, where more take long and add no information
 * @param maxBytes the largest number of bytes, for the same reason
 */
record Effort(long nanos, long maxTransfers, long maxBytes) {
    private static final long TENTH = 10;

    /** The least number of uses of each slot. */
    private static final long MIN_ROUNDS = 4;

    /** A limit by duration only. */
    static Effort ofNanos(long nanos) {
        return new Effort(nanos, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** A tenth of these limits. */
    Effort ofTenth() {
        return new Effort(nanos / TENTH, maxTransfers / TENTH, maxBytes / TENTH);
    }

    /** The largest number of transfers of a size to measure. */
    long transfers(int bytes, int outstanding) {
        return Math.max(MIN_ROUNDS * outstanding, Math.min(maxTransfers, maxBytes / bytes));
    }
}
