// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * The cost of an access to the node's own memory that does not go through the card: a load, a store or an instruction
 * of the processor. Beside such accesses, reading the clock costs next to nothing ({@link #MIN_NANOS}), and a thread
 * that waits spins, since it has a processor of its own. Times are in nanoseconds.
 *
 * @param read latency of a READ, from {@link #MIN_NANOS} to {@link #MAX_NANOS}
 * @param write latency of a WRITE
 * @param atomic latency of an atomic
 * @param addressGap the minimum time between two atomics on a word, from 0 to {@link #MAX_NANOS}
 */
public record LocalCost(long read, long write, long atomic, long addressGap) {
    /** The shortest latency. */
    public static final long MIN_NANOS = 1;

    /** The longest latency: a millisecond. */
    public static final long MAX_NANOS = 1_000_000;

    /** Rejects values out of range. */
    public LocalCost {
        for (long latency : new long[] {read, write, atomic}) {
            check("latency", latency, MIN_NANOS);
        }
        check("gap", addressGap, 0);
    }

    private static void check(String name, long nanos, long min) {
        if (nanos < min || nanos > MAX_NANOS) {
            throw new IllegalArgumentException(
                    "local " + name + " of " + nanos + " ns: needs " + min + " to " + MAX_NANOS + " ns");
        }
    }
}
