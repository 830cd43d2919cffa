// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * {@link BufferedQueue} for 64-bit integers, without codec and boxing. Promises, linearization points, costs and the
 * effect of a thread's death are the same. It allocates nothing.
 */
public final class LongBufferedQueue {
    private final BufferedQueue<Long> queue;
    private long dequeued;

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity how many items have room, at least 1; indexing is fastest with a power of two
     */
    public static RdmaPtr<Ring> create(int capacity, ComputeThread ct) {
        return BufferedQueue.create(capacity, Codecs.LONG, ct);
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned, or {@link BufferedQueue#create} with {@link Codecs#LONG}
     * @throws IllegalArgumentException if it is no such queue, or for items of another size
     */
    public LongBufferedQueue(RdmaPtr<Ring> This, ComputeThread ct) {
        queue = new BufferedQueue<>(This, Codecs.LONG, ct);
    }

    /** How many items have room in it. */
    public int capacity() {
        return queue.capacity();
    }

    // ------------------------------------------------------------------------------------------------ enqueueing

    /** Like {@link BufferedQueue#enqueue}. */
    public long enqueue(long item, ComputeThread ct) {
        queue.producer.staged().setWord(0, item);
        return queue.enqueueStaged(ct);
    }

    /** Like {@link BufferedQueue#tryEnqueue(Object, ComputeThread)}. */
    public boolean tryEnqueue(long item, ComputeThread ct) {
        queue.producer.staged().setWord(0, item);
        return queue.tryEnqueueStaged(ct);
    }

    /**
     * Enqueues {@code count} items of an array in their order, like {@link BufferedQueue#enqueueAll}.
     *
     * @throws IndexOutOfBoundsException if the array does not have them
     */
    public void enqueueAll(long[] items, int from, int count, ComputeThread ct) {
        Objects.checkFromIndexSize(from, count, items.length);
        int batch = queue.This.batch();
        for (int done = 0; done < count; done += batch) {
            int part = Math.min(batch, count - done);
            for (int i = 0; i < part; i++) {
                queue.producer.staged().setWord(i, items[from + done + i]);
            }
            queue.enqueueAllStaged(part, ct);
        }
    }

    // ------------------------------------------------------------------------------------------------ dequeueing

    /** Like {@link BufferedQueue#dequeue}. */
    public long dequeue(ComputeThread ct) {
        return take(queue.await(ct), ct);
    }

    /** Like {@link BufferedQueue#tryDequeue(ComputeThread)}, but the item is then {@link #dequeued}. */
    public Dequeued.Kind tryDequeue(ComputeThread ct) {
        RingConsumer here = queue.consumer(ct);
        Dequeued.Kind kind = here.tryPoll(ct);
        if (kind == Dequeued.Kind.ITEM) {
            dequeued = take(here, ct);
        }
        return kind;
    }

    /** Like {@link BufferedQueue#tryDequeue(long, ComputeThread)}, but the item is then {@link #dequeued}. */
    public Dequeued.Kind tryDequeue(long nanos, ComputeThread ct) {
        queue.consumer(ct).awaitFor(nanos, ct);
        return tryDequeue(ct);
    }

    private long take(RingConsumer here, ComputeThread ct) {
        long item = here.items().word(here.place());
        here.take(1, ct);
        return item;
    }

    /** The item of the last {@link #tryDequeue} that found one; 0 if none has. */
    public long dequeued() {
        return dequeued;
    }

    /** Like {@link BufferedQueue#dequeueAll}. */
    public int dequeueAll(int most, LongConsumer taker, ComputeThread ct) {
        int count = takeAll(most, taker, ct);
        while (count == 0) {
            queue.consumer(ct).waitForProducers(ct);
            count = takeAll(most, taker, ct);
        }
        return count;
    }

    /** Like {@link BufferedQueue#tryDequeueAll}. */
    public int tryDequeueAll(int most, LongConsumer taker, ComputeThread ct) {
        int taken = takeAll(most, taker, ct);
        while (taken == 0 && queue.consumer(ct).hasPassedOver(ct)) {
            taken = takeAll(most, taker, ct);
        }
        return taken;
    }

    private int takeAll(int most, LongConsumer taker, ComputeThread ct) {
        RingConsumer here = queue.consumer(ct);
        int ready = here.pollBatch(most);
        int first = here.place();
        int taken = 0;
        try {
            while (taken < ready) {
                taker.accept(here.items().word(first + taken++));
            }
        } finally { // what the taker has not seen stays in the queue
            here.take(taken, ct);
        }
        return taken;
    }

    // ------------------------------------------------------------------------------------------------ the end

    /** Like {@link BufferedQueue#destroy}. */
    public void destroy(ComputeThread ct) {
        queue.destroy(ct);
    }

    /** What it is and where. */
    @Override
    public String toString() {
        return "Long" + queue;
    }
}
