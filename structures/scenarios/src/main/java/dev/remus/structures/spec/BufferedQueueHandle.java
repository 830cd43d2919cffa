// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.node.ComputeThread;
import dev.remus.structures.Dequeued;
import java.util.List;

/** A queue of integers as one thread sees it; by default batches are made one by one, and attempts wait. */
public interface BufferedQueueHandle {
    /** The position that {@link #enqueue} returns if positions are not known. */
    long UNKNOWN = Long.MIN_VALUE;

    /** Enqueues an item; returns the position that was taken, or {@link #UNKNOWN}. */
    long enqueue(long item, ComputeThread ct);

    /** Dequeues an item. */
    long dequeue(ComputeThread ct);

    /** Enqueues an item if there is room. */
    default boolean tryEnqueue(long item, ComputeThread ct) {
        enqueue(item, ct);
        return true;
    }

    /** Enqueues items. */
    default void enqueueAll(List<Long> items, ComputeThread ct) {
        items.forEach(item -> enqueue(item, ct));
    }

    /** Dequeues an item if there is one. */
    default Dequeued<Long> tryDequeue(ComputeThread ct) {
        return Dequeued.of(dequeue(ct));
    }

    /** Dequeues up to so many items into a list. */
    default void dequeueAll(int most, List<Long> into, ComputeThread ct) {
        into.add(dequeue(ct));
    }

    /** Whether {@link #dequeueAll} returns none only if, at some moment of the call, the queue is empty. */
    default boolean saysEmpty() {
        return false;
    }

    /** Dequeues up to so many items that are there into a list. */
    default void tryDequeueAll(int most, List<Long> into, ComputeThread ct) {
        Dequeued<Long> next = tryDequeue(ct);
        if (next.isItem()) {
            into.add(next.item());
        }
    }

    /** Gives the memory back. */
    default void destroy(ComputeThread ct) {}
}
