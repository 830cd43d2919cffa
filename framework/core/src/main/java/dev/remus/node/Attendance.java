// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import java.util.BitSet;
import java.util.function.IntPredicate;

/** The threads that took part in the last barrier of all threads which one thread has passed. */
final class Attendance {
    private final int threads;
    private final BitSet present;
    private long meetings;

    /** The threads of all first lives, as long as there was no barrier. */
    Attendance(ClusterConfig config) {
        this.threads = config.threadIds();
        this.present = new BitSet(threads);
        present.set(0, config.totalThreads());
    }

    /** The number of barriers before the next one of this thread. */
    long meetings() {
        return meetings;
    }

    /**
     * Replaces it.
     *
     * @param passed the number of barriers before the next one
     */
    void record(long passed, IntPredicate wasPresent) {
        meetings = passed;
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
