package dev.remus.node;

import dev.remus.fabric.BlockingOperations;

/** Places all that a thread has posted: without a future, or as an asynchronous operation. */
final class Placement {
    private final BlockingOperations memory;
    private final ThreadMetrics metrics;
    private final AsyncOperations async;

    Placement(BlockingOperations memory, ThreadMetrics metrics, AsyncOperations async) {
        this.memory = memory;
        this.metrics = metrics;
        this.async = async;
    }

    /** See {@link ComputeThread#place}. */
    void placeAll() {
        metrics.placements += memory.unplacedLanes();
        memory.place();
        async.finish();
    }
}
