// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.BlockingOperations;

/** Places everything that a thread has posted, with and without futures. */
final class Placement {
    private final BlockingOperations memory;
    private final ThreadMetrics metrics;
    private final AsyncOperations async;

    Placement(BlockingOperations memory, ThreadMetrics metrics, AsyncOperations async) {
        this.memory = memory;
        this.metrics = metrics;
        this.async = async;
    }

    /** Implements {@link ComputeThread#place}. */
    void placeAll() {
        metrics.placements += memory.unplacedLanes();
        memory.place();
        async.finish();
    }
}
