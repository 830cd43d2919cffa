// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RingQueue;
import dev.remus.tools.queue.QueueKind;
import java.util.List;

/** A queue and the method by which producers enqueue: a curve of a figure. */
enum BufferedSeries {
    /** The queue that keeps the order of arrival. */
    STRICT("buffered", QueueKind.BUFFERED, false),
    /** The queue in which waiting producers may overtake each other. */
    RELAXED("buffered-relaxed", QueueKind.BUFFERED_RELAXED, false),
    /** The strict queue, whose producers retry instead of waiting for their turn. */
    RETRY("buffered, retrying", QueueKind.BUFFERED, true);

    private final String text;
    private final QueueKind kind;
    private final boolean retries;

    BufferedSeries(String text, QueueKind kind, boolean retries) {
        this.text = text;
        this.kind = kind;
        this.retries = retries;
    }

    /** Makes an empty queue. */
    RdmaPtr<?> create(int capacity, ComputeThread ct) {
        return kind.create(capacity, ct);
    }

    /** Makes a thread's handle. */
    RingQueue<Long> open(RdmaPtr<?> This, ComputeThread ct) {
        return (RingQueue<Long>) kind.open(This, ct);
    }

    /** Whether each producer's items must leave in their order. */
    boolean keepsOrder() {
        return kind.keepsOrder();
    }

    /** Enqueues items, waiting for room. */
    void enqueue(RingQueue<Long> queue, List<Long> items, ComputeThread ct) {
        if (items.size() > 1) {
            queue.enqueueAll(items, ct);
        } else if (retries) {
            while (!queue.tryEnqueue(items.get(0), ct)) {
                ct.pause();
            }
        } else {
            queue.enqueue(items.get(0), ct);
        }
    }

    /** As in tables. */
    @Override
    public String toString() {
        return text;
    }
}
