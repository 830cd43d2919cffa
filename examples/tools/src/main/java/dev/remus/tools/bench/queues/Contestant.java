package dev.remus.tools.bench.queues;

import dev.remus.node.ComputeThread;

/** A queue of 64-bit items between processes, as one thread has it open. */
interface Contestant {
    /** Enqueues the items {@code from} to {@code to} - 1, so many at a time. */
    void produce(long from, long to, int batch, ComputeThread ct);

    /**
     * Dequeues so many items, up to so many at a time.
     *
     * @return the sum of all, and at what times the first and the last came
     */
    Stretch consume(long items, int batch, ComputeThread ct);

    /** Gives its memory back; called by one thread, when all are through. */
    default void destroy(ComputeThread ct) {}

    /**
     * What a consumer saw.
     *
     * @param sum of all items
     * @param nanos from the first item to the last
     */
    record Stretch(long sum, long nanos) {}
}
