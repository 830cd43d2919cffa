// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;

/** Measures the time of a round trip by repeated READs of a word. */
final class RoundTrip {
    /** The length of the measurement, whose first half warms up the JIT compiler. */
    private static final long NANOS = 200_000_000;

    private RoundTrip() {}

    /** The mean time of a round trip, in nanoseconds. */
    static long measure(long pointer, ComputeThread ct) {
        readFor(NANOS / 2, pointer, ct);
        return readFor(NANOS / 2, pointer, ct);
    }

    private static long readFor(long nanos, long pointer, ComputeThread ct) {
        long start = ct.nanoTime();
        long reads = 0;
        long taken;
        do {
            ct.read(pointer);
            reads++;
            taken = ct.nanoTime() - start;
        } while (taken < nanos);
        return taken / reads;
    }
}
