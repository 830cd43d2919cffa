package dev.remus.tools.bench.overlap;

import dev.remus.config.ThreadKind;

/**
 * What is measured at once: some work of a number of threads at some latency.
 *
 * @param micros the emulated latency in microseconds, or {@link #OF_DEVICE}
 * @param kind the kind of the threads
 */
record OverlapPoint(Work work, long micros, ThreadKind kind, int threads) {
    /** Instead of an emulated latency: that of the RDMA device. */
    static final long OF_DEVICE = 0;

    /** The reference of all others: one platform thread, which waits for each operation. */
    OverlapPoint reference() {
        return new OverlapPoint(work, micros, ThreadKind.PLATFORM, 1);
    }

    boolean isReference() {
        return equals(reference());
    }

    /** As many platform threads. */
    OverlapPoint onPlatformThreads() {
        return new OverlapPoint(work, micros, ThreadKind.PLATFORM, threads);
    }

    /** The latency as text. */
    String latency() {
        return micros == OF_DEVICE ? "device" : micros + " µs";
    }
}
