// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

/**
 * When one thread of an open loop is to begin its operations: at equal distances, whether or not earlier ones have
 * ended. Latencies that count from these times include the waiting of operations that an earlier one has delayed; so
 * nothing is left out when the map is slow ("coordinated omission").
 */
final class Pace {
    private static final double NANOS = 1e9;

    private final long start;
    private final double first;
    private final double distance;
    private long begun;

    /**
     * @param rate the operations per second of all threads together
     * @param start the common start, in nanoseconds
     */
    Pace(long rate, int thread, int threads, long start) {
        this.start = start;
        this.first = NANOS / rate * thread;
        this.distance = NANOS / rate * threads;
    }

    /** The time of the next operation, in nanoseconds. */
    long next() {
        return start + (long) (first + distance * begun);
    }

    /** Goes on to the operation after it. */
    void advance() {
        begun++;
    }
}
