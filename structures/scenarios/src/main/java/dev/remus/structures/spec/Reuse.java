// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.ComputeThread;

/** When the threads of a scenario reuse the memory of what they have removed. */
public enum Reuse {
    /** Never. */
    NONE,
    /** After barriers, at which no thread is inside an operation. */
    AFTER_BARRIERS,
    /** By epochs, while other threads are inside operations. */
    EPOCHS;

    private static final int BETWEEN_BARRIERS = 4;

    /** More quiescent states than a thread passes between two looks at the epoch. */
    private static final int CALLS = 65;

    static Reuse of(boolean reclaim) {
        return reclaim ? AFTER_BARRIERS : NONE;
    }

    /** The configuration with the way to reclaim that this needs. */
    ClusterConfig in(ClusterConfig config) {
        return this == EPOCHS ? config.toBuilder().reclaim(Reclamation.EPOCHS).build() : config;
    }

    /**
     * How many blocks the threads hold in reserve at most. Each reserves as many as it has taken between two quiescent
     * states: one; the thread that has created the structure three, and one for each key that it inserted before the
     * others began.
     */
    long reserved(int threads, int insertedFirst) {
        return this == EPOCHS ? threads + 2L + insertedFirst : 0;
    }

    /** To be called after each operation, given its number from 1. */
    void after(int operation, ComputeThread ct) {
        if (this == EPOCHS) {
            for (int i = 0; i < CALLS; i++) {
                ct.quiescent();
            }
        } else if (this == AFTER_BARRIERS && operation % BETWEEN_BARRIERS == 0) {
            ct.barrier();
            ct.reclaimDeferred();
        }
    }
}
