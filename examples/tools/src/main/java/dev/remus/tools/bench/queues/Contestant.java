// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import dev.remus.node.ComputeThread;

/** A queue of 64-bit items between processes, opened by one thread. */
interface Contestant {
    /** Enqueues the items {@code from} to {@code to} - 1, in batches of the given size. */
    void produce(long from, long to, int batch, ComputeThread ct);

    /**
     * Dequeues the given number of items, in batches up to the given size.
     *
     * @return the sum of all items, and the time between the first and the last
     */
    Stretch consume(long items, int batch, ComputeThread ct);

    /** Frees its memory; called by one thread when all have finished. */
    default void destroy(ComputeThread ct) {}

    /**
     * The measurements of a consumer.
     *
     * @param sum of all items
     * @param nanos from the first item to the last
     */
    record Stretch(long sum, long nanos) {}
}
