package dev.remus.node;

import java.util.BitSet;
import java.util.function.IntPredicate;

/** The threads that took part in the last barrier of all threads which one thread has passed. */
final class Attendance {
    private final int threads;
    private final BitSet present;

    /** All threads, as long as there was no barrier. */
    Attendance(int threads) {
        this.threads = threads;
        this.present = new BitSet(threads);
        present.set(0, threads);
    }

    /** Replaces it. At least this thread was present. */
    void record(IntPredicate wasPresent) {
        for (int thread = 0; thread < threads; thread++) {
            present.set(thread, wasPresent.test(thread));
        }
    }

    boolean contains(int thread) {
        return present.get(thread);
    }

    int first() {
        return present.nextSetBit(0);
    }
}
