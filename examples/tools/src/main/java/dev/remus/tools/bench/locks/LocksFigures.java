// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

/**
 * What was measured.
 *
 * @param perSecond acquisitions per second of all threads
 * @param meanNanos how long an acquisition took, on average
 * @param longestNanos how long the slowest acquisition took
 * @param roundTrips round trips to acquire and release the lock, on average; those inside do not count
 */
record LocksFigures(double perSecond, double meanNanos, double longestNanos, double roundTrips) {
    /** The longest wait over the mean one. */
    double unfairness() {
        return longestNanos / meanNanos;
    }
}
