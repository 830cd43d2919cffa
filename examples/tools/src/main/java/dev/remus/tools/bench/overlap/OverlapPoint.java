// SPDX-License-Identifier: Apache-2.0
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

    /** READs of as many virtual threads as hide a latency of 2 µs. */
    static final OverlapPoint MANY_READS = new OverlapPoint(Work.READ, 2, ThreadKind.VIRTUAL, 32);

    /** The same threads, which only switch. */
    static final OverlapPoint MANY_SWITCHES = new OverlapPoint(Work.YIELD, 2, ThreadKind.VIRTUAL, 32);

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
