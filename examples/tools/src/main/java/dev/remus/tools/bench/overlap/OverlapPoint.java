package dev.remus.tools.bench.overlap;

import dev.remus.config.ThreadKind;

/**
 * What is measured at once: some work of a number of threads at an emulated latency.
 *
 * @param micros the emulated latency in microseconds
 * @param kind the kind of the threads
 */
record OverlapPoint(Work work, long micros, ThreadKind kind, int threads) {
    /** The reference of all others: one platform thread, which waits for each operation. */
    OverlapPoint reference() {
        return new OverlapPoint(work, micros, ThreadKind.PLATFORM, 1);
    }

    boolean isReference() {
        return equals(reference());
    }
}
