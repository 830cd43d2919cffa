// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The buffered queues: a ring of N blocks in remote memory ({@link Ring}), any number of producers, one consumer. The
 * two differ in which producer may write to a block, and so in what they promise: {@link BufferedQueue} keeps the order
 * of arrival, {@link RelaxedBufferedQueue} does not always.
 *
 * <pre>
 *  enqueue(item):  p = FAA(claimed, 1)                       the item's position
 *                  wait until p - N &lt; released               its block, p mod N, is free
 *                  WRITE item of the block;  WRITE state of the block = p + 1
 *
 *  dequeue():      READ state and item of block next mod N, until the state is next + 1
 *                  next++;  FAA(released, 1)                 not awaited
 * </pre>
 *
 * <p>A producer WRITEs an item and then its state, one behind the other on one lane; the consumer READs the state and
 * then the item, and ignores the item unless the state is right. So neither has to wait between the two. The state
 * shows which lap it belongs to, so that the consumer need not reset it: it only counts {@code released} up, which a
 * producer reads when it has used all blocks that it has found free. Counting is by FAA, which
 * commutes: the lanes may carry it out in any order.
 *
 * <p>The blocks are the ring's until the queue is destroyed, so no operation retires any.
 *
 * <p>{@link RingProducer} has the steps of an enqueue, {@link RingConsumer} those of a dequeue.
 *
 * <p>A handle belongs to one thread. Local allocations are those of the codec, so there are none with one that decodes
 * into the same object every time; {@link #tryDequeue} wraps the item in addition. {@link #dequeueInPlace} needs no
 * codec and allocates nothing.
 *
 * @param <T> a local item
 */
public abstract class RingQueue<T> implements RemoteQueue<T> {
    final Ring This;
    final RingProducer producer;

    private final RingStatus status;
    final Codec<T> codec;
    /** For messages: what this is and where. */
    private final String name;

    /** The item that was last dequeued in place, null if there is none. */
    private @Nullable ByteBuffer dequeued;

    /** Whether this handle has tried to become the one that dequeues. */
    private boolean mayBeConsumer;

    /** Null unless this is the handle that dequeues. */
    private @Nullable RingConsumer consumer;

    RingQueue(long kind, RdmaPtr<Ring> This, Codec<T> codec, boolean hasPositions, ComputeThread ct) {
        this.codec = codec;
        this.This = Ring.open(This, kind, getClass().getSimpleName(), codec, hasPositions, ct);
        this.name = getClass().getSimpleName() + " of " + this.This;
        this.status = new RingStatus(this.This, name, ct);
        this.producer = new RingProducer(this.This, status, name, ct);
    }

    /** How many items have room in it. */
    public final int capacity() {
        return This.capacity();
    }

    /**
     * The number of positions that producers have taken and the consumer has not released, now or a moment ago. Any
     * thread may ask. One round trip.
     */
    public final long size(ComputeThread ct) {
        status.readEnds(ct);
        return status.claimedNow() - status.releasedNow();
    }

    // ------------------------------------------------------------------------------------------------ enqueueing

    /**
     * Enqueues an item, waiting for room if need be.
     *
     * @return the position that was taken for it
     * @throws QueueDestroyedException if the queue is destroyed while this waits
     * @throws dev.remus.fabric.NodeLostException if the consumer's node is lost while this waits, or any if {@code
     *     --on-node-loss} is abort
     */
    public abstract long enqueue(T item, ComputeThread ct);

    /**
     * Enqueues an item if there is room, and does not wait for it. Takes no position otherwise, so it promises no
     * fairness: while producers wait in {@link #enqueue}, there is never room for this one.
     *
     * @return false if this thread has found no room. The effect of a dequeue that has just returned may still be in
     *     flight
     */
    @Override
    public abstract boolean tryEnqueue(T item, ComputeThread ct);

    /**
     * Tries for some time to enqueue an item.
     *
     * @param nanos for how long at least, in nanoseconds
     * @return false if that was in vain
     * @throws QueueDestroyedException if the queue is destroyed meanwhile
     */
    public final boolean tryEnqueue(T item, long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        while (!tryEnqueue(item, ct)) {
            if (ct.nanoTime() - start >= nanos) {
                return false;
            }
            ct.pause();
        }
        return true;
    }

    /**
     * Enqueues items in their order, with fewer round trips than one by one. This is not atomic: other items may
     * come in between, and the consumer may see the first before the last is there.
     *
     * @throws QueueDestroyedException as {@link #enqueue}; some of the items may be in the queue
     */
    public abstract void enqueueAll(List<? extends T> batchOfItems, ComputeThread ct);

    // ------------------------------------------------------------------------------------------------ dequeueing

    /**
     * Dequeues the next item, waiting for it if need be. The first handle that dequeues is the consumer until its node
     * is lost and {@linkplain dev.remus.node.Peers#isLost cut off}; then the next one is.
     *
     * @throws IllegalStateException if another thread, or this one through another handle, is the consumer
     * @throws QueueDestroyedException if the queue is destroyed while this waits
     * @throws dev.remus.fabric.NodeLostException if a node is lost while this waits and {@code --on-node-loss} is
     *     abort, or if it waits for a lost producer that was not cut off within the loss time-out
     */
    public final T dequeue(ComputeThread ct) {
        RingConsumer here = await(ct);
        T item = decode(here, here.place());
        here.take(1, ct);
        return item;
    }

    /** The consumer, when the next item is in local memory. */
    final RingConsumer await(ComputeThread ct) {
        RingConsumer here = consumer(ct);
        while (here.poll(1) == 0) {
            here.waitForProducers(ct);
        }
        return here;
    }

    private T decode(RingConsumer here, int place) {
        return codec.decode(here.items().at(place));
    }

    /** Encodes an item into a place of local memory. */
    final void stage(T item, int place) {
        ByteBuffer to = producer.staged().at(place);
        int at = to.position();
        codec.encode(item, to);
        if (to.position() - at != codec.bytes()) {
            throw new IllegalStateException(
                    "the codec declares " + codec.bytes() + " bytes, and has encoded " + (to.position() - at));
        }
    }

    /**
     * Dequeues the next item if it is there, and does not wait. {@code EMPTY} means that no producer has taken a
     * position that has not been dequeued or passed over, {@code NOT_READY} that one has, and has not finished.
     *
     * @throws IllegalStateException as {@link #dequeue}
     */
    @Override
    public final Dequeued<T> tryDequeue(ComputeThread ct) {
        RingConsumer here = consumer(ct);
        Dequeued.Kind kind = here.tryPoll(ct);
        if (kind != Dequeued.Kind.ITEM) {
            return kind == Dequeued.Kind.EMPTY ? Dequeued.empty() : Dequeued.notReady();
        }
        T item = decode(here, here.place());
        here.take(1, ct);
        return Dequeued.of(item);
    }

    /**
     * Tries for some time to dequeue the next item.
     *
     * @param nanos for how long at least, in nanoseconds
     * @throws IllegalStateException as {@link #dequeue}
     * @throws QueueDestroyedException if the queue is destroyed meanwhile
     */
    public final Dequeued<T> tryDequeue(long nanos, ComputeThread ct) {
        consumer(ct).awaitFor(nanos, ct);
        return tryDequeue(ct);
    }

    /**
     * Dequeues the next items, waiting for the first if need be. This is not atomic.
     *
     * @param most how many at most, at least 1; there may be more although this takes less
     * @param taker gets them in their order; their blocks are free for others when it has seen all of them
     * @return how many
     * @throws IllegalStateException as {@link #dequeue}
     * @throws QueueDestroyedException as {@link #dequeue}
     */
    public final int dequeueAll(int most, Consumer<? super T> taker, ComputeThread ct) {
        int count = takeAll(most, taker, ct);
        while (count == 0) {
            consumer(ct).waitForProducers(ct);
            count = takeAll(most, taker, ct);
        }
        return count;
    }

    /**
     * Dequeues the next items that are there, and does not wait. This is not atomic.
     *
     * @param most how many at most, at least 1; there may be more although this takes less
     * @param taker gets them in their order; their blocks are free for others when it has seen all of them
     * @return how many
     * @throws IllegalStateException as {@link #dequeue}
     */
    public final int tryDequeueAll(int most, Consumer<? super T> taker, ComputeThread ct) {
        int taken = takeAll(most, taker, ct);
        while (taken == 0 && consumer(ct).hasPassedOver(ct)) {
            taken = takeAll(most, taker, ct);
        }
        return taken;
    }

    private int takeAll(int most, Consumer<? super T> taker, ComputeThread ct) {
        RingConsumer here = consumer(ct);
        int ready = here.pollBatch(most);
        int first = here.place();
        int taken = 0;
        try {
            while (taken < ready) {
                T item = decode(here, first + taken);
                taken++;
                taker.accept(item);
            }
        } finally { // what the taker has not seen stays in the queue
            here.take(taken, ct);
        }
        return taken;
    }

    final RingConsumer consumer(ComputeThread ct) {
        RingConsumer here = consumer;
        if (here == null) {
            here = becomeConsumer(ct);
            producer.becomeConsumer();
            consumer = here;
        }
        return here;
    }

    private RingConsumer becomeConsumer(ComputeThread ct) {
        boolean isRepeated = mayBeConsumer;
        try {
            mayBeConsumer = true;
            return RingConsumer.of(This, status, name, isRepeated, ct);
        } catch (IllegalStateException e) {
            mayBeConsumer = false;
            throw e;
        }
    }

    // ------------------------------------------------------------------------------------------------ in place

    /**
     * Dequeues the next item without decoding it. Otherwise like {@link #dequeue}.
     *
     * @return the bytes of the item, in local memory of this handle: valid until it dequeues again
     */
    public final ByteBuffer dequeueInPlace(ComputeThread ct) {
        return takeInPlace(await(ct), ct);
    }

    /**
     * Dequeues the next item without decoding it if it is there: its bytes are then {@link #dequeuedInPlace}. Otherwise
     * like {@link #tryDequeue(ComputeThread)}.
     */
    public final Dequeued.Kind tryDequeueInPlace(ComputeThread ct) {
        RingConsumer here = consumer(ct);
        Dequeued.Kind kind = here.tryPoll(ct);
        if (kind == Dequeued.Kind.ITEM) {
            takeInPlace(here, ct);
        }
        return kind;
    }

    private ByteBuffer takeInPlace(RingConsumer here, ComputeThread ct) {
        ByteBuffer item = here.items().item(here.place(), codec.bytes());
        here.take(1, ct);
        dequeued = item;
        return item;
    }

    /**
     * The bytes of the item that was last dequeued in place, in local memory: valid until this handle dequeues again.
     *
     * @throws IllegalStateException if none has been
     */
    public final ByteBuffer dequeuedInPlace() {
        ByteBuffer item = dequeued;
        if (item == null) {
            throw new IllegalStateException("no item of " + name + " has been dequeued in place");
        }
        return item;
    }

    // ------------------------------------------------------------------------------------------------ the end

    /**
     * Ends the queue: a thread that waits on it gets a {@link QueueDestroyedException}. No thread may begin an
     * operation afterwards. The memory is {@linkplain ComputeThread#schedReclaim retired}, since other threads may
     * still be reading it.
     */
    @Override
    public final void destroy(ComputeThread ct) {
        This.destroyed.store(1, ct);
        This.schedReclaim(ct);
    }

    /** What it is and where. */
    @Override
    public final String toString() {
        return name;
    }
}
