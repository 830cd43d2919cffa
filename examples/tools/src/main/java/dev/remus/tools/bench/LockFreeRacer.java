// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.tools.queue.QueueKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue that {@code bench lock-free} measures.
 *
 * @param kind null for the published queue over MPI
 */
record LockFreeRacer(@Nullable QueueKind kind) {
    /** The name of the queue over MPI. */
    static final String OVER_MPI = "over MPI";

    /** The queues, of which the first is compared with the others. That over MPI needs it to be installed. */
    static List<LockFreeRacer> all() {
        List<LockFreeRacer> all = new ArrayList<>(List.of(
                new LockFreeRacer(QueueKind.ND),
                new LockFreeRacer(QueueKind.ND_PUBLISHED),
                new LockFreeRacer(QueueKind.BD)));
        if (MpiProgram.isInstalled()) {
            all.add(new LockFreeRacer(null));
        }
        return all;
    }

    /** Whether ours is to be faster than it by a target. */
    boolean isPublished() {
        return kind == null || kind == QueueKind.ND_PUBLISHED;
    }

    @Override
    public String toString() {
        return kind == null ? OVER_MPI : kind.toString();
    }
}
