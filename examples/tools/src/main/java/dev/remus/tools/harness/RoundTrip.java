package dev.remus.tools.harness;

import dev.remus.node.ComputeThread;

/** How long a round trip takes: a READ of a word, over and over. */
final class RoundTrip {
    /** Of it, the first half is for the compiler. */
    private static final long NANOS = 200_000_000;

    private RoundTrip() {}

    /** The mean of some tenths of a second, in nanoseconds. */
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
