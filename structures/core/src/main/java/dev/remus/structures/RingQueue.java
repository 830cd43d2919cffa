package dev.remus.structures;

import dev.remus.fabric.LocalMemory;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Codec;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What both buffered queues are: a ring of N blocks in remote memory, any number of producers, one consumer. They differ
 * in who may write to a block, and so in what they promise: {@link BufferedQueue} keeps the order of arrival, {@link
 * RelaxedBufferedQueue} does not always.
 *
 * <p>An item has a <em>position</em>, from 0 on in 64 bits. Position p lies in block p mod N, in the block's lap p / N.
 *
 * <pre>
 *   This                                                                  changed by
 *  +-----------+-----------+-----------+------------------+
 *  | kind      | N         | bytes of  |                  |              nobody
 *  |           |           | an item   |                  |
 *  +-----------+-----------+-----------+------------------+   64
 *  | claimed   |                                          |              producers: FAA, CAS
 *  +-----------+-----------+-----------+------------------+  128
 *  | released  | consumer  | destroyed |                  |              consumer: FAA; first consumer: CAS;
 *  +-----------+-----------+-----------+------------------+  192         destroyer: WRITE
 *  | state of  | state of  |                   | state of |              producers: WRITE
 *  | block 0   | block 1   |        ...        | N - 1    |
 *  +-----------+-----------+-------------------+----------+  a multiple of 64
 *  | item in block 0       | item in block 1   |   ...    |              producers: WRITE
 *  +-----------------------+-------------------+----------+  a multiple of 64
 *  | position of block 0   | of block 1        |   ...    |              producers: CAS (relaxed queue only)
 *  +-----------------------+-------------------+----------+
 *
 *  claimed    the next position that no producer has taken
 *  released   all items below it have been dequeued: position p may be written once p - N is below it
 *  consumer   1 + number of the thread that dequeues, 0 as long as there is none
 *  state      1 + position of the item in the block; anything else says that the item is not there yet
 * </pre>
 *
 * <p>Every word is either READ and written by WRITE, or changed by CAS and FAA only. A producer WRITEs an item and then its
 * state, one behind the other on one lane; the consumer READs the state and then the item, and ignores the item unless the
 * state is right. So nobody has to wait between the two. The state says which lap it belongs to, so that the consumer need
 * not reset it: it only counts {@code released} up, which producers look at when they have come to the end of what they know
 * to be free. Counting is by FAA, which commutes: the lanes may carry it out in any order.
 *
 * <p>States and items lie apart so that a batch is one WRITE of items and one of states.
 *
 * <p>A handle belongs to one thread. Local allocations are those of the codec, so there are none with one that decodes into
 * the same object every time; {@link #tryDequeue} wraps the item in addition.
 *
 * @param <T> a local item
 */
public abstract sealed class RingQueue<T> implements RemoteQueue<T> permits BufferedQueue, RelaxedBufferedQueue {
    /** What all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteLong kind = longField();
        private final RemoteLong capacity = longField();
        private final RemoteLong itemBytes = longField();

        {
            startLine();
        }

        final RemoteLong claimed = longField();

        {
            startLine();
        }

        private final RemoteLong released = longField();
        private final RemoteLong consumer = longField();
        private final RemoteLong destroyed = longField();

        {
            startLine();
        }

        Shared() {}
    }

    /** At most so many items are moved at once: the blocks of all of them can be taken by one sequence. */
    private static final int MOST_AT_ONCE = Sequence.capacity();

    /** At most so many bytes are moved at once, unless one item alone has more. */
    private static final int MOST_BYTES_AT_ONCE = 1 << 16;

    private static final int LOOK_BYTES = 3 * Long.BYTES;

    /** Where {@code released} is behind {@code claimed}, and how much is read to see both. */
    private static final int RELEASED_IN_STATUS = 64;

    private static final int STATUS_BYTES = RELEASED_IN_STATUS + Long.BYTES;

    final Shared This = new Shared();
    final RingLayout ring;

    /** How many items have a place in local memory: the most that are moved at once. */
    final int batch;

    /** What the {@code claimed} word was when it was last seen: it only grows. */
    long claimed;

    /** What the {@code released} word was when it was last seen: it only grows. */
    private long released;

    /** The {@code consumer} word when it was last seen. */
    private long consumerWord;

    private final Codec<T> codec;
    private final LocalItems<T> outgoing;
    private final LocalMemory seen;

    /** Null unless this is the handle that dequeues. */
    private @Nullable RingConsumer<T> consumer;

    // ------------------------------------------------------------------------------------------------ creating

    /** Makes an empty queue; {@code kind} is known to the handle's class. */
    static RdmaPtr<Shared> create(
            long kind, int capacity, Codec<?> codec, boolean hasPositions, long start, ComputeThread ct) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a queue with room for " + capacity + " items: needs at least 1");
        }
        RingLayout plan = RingLayout.of(0, capacity, codec.bytes(), hasPositions);
        RingLayout ring = plan.at(ct.allocate(plan.bytes()));
        ring.clear(start, ct);
        Shared shared = new Shared();
        shared.at(ring.start());
        shared.kind.store(kind, ct);
        shared.capacity.store(capacity, ct);
        shared.itemBytes.store(codec.bytes(), ct);
        shared.claimed.store(start, ct);
        shared.released.store(start, ct);
        shared.consumer.store(0, ct);
        shared.destroyed.store(0, ct);
        return new RdmaPtr<>(ring.start());
    }

    RingQueue(long kind, RdmaPtr<Shared> This, Codec<T> codec, boolean hasPositions, ComputeThread ct) {
        this.This.at(This);
        if (this.This.kind.load(ct) != kind) {
            throw new IllegalArgumentException("there is no " + getClass().getSimpleName() + " at (" + This + ")");
        }
        long itemBytes = this.This.itemBytes.load(ct);
        if (itemBytes != codec.bytes()) {
            throw new IllegalArgumentException("a codec for items of " + codec.bytes() + " bytes, but the queue at ("
                    + This + ") was made for items of " + itemBytes);
        }
        int capacity = (int) this.This.capacity.load(ct);
        this.claimed = this.This.claimed.load(ct);
        this.released = this.This.released.load(ct);
        this.codec = codec;
        this.ring = RingLayout.of(This.raw(), capacity, codec.bytes(), hasPositions);
        this.batch = Math.max(1, Math.min(Math.min(capacity, MOST_AT_ONCE), MOST_BYTES_AT_ONCE / ring.stride()));
        this.outgoing = new LocalItems<>(batch, ring.stride(), codec, ct);
        this.seen = ct.allocateLocal(STATUS_BYTES);
    }

    /** How many items have room in it. */
    public final int capacity() {
        return ring.capacity();
    }

    // ------------------------------------------------------------------------------------------------ enqueueing

    /**
     * Enqueues an item, waiting for room if need be.
     *
     * @return the position that was taken for it
     * @throws QueueDestroyedException if the queue is destroyed while this waits
     * @throws dev.remus.fabric.NodeLostException if the consumer's node is lost while this waits, or any if {@code
     *     --on-node-loss} says abort
     */
    public abstract long enqueue(T item, ComputeThread ct);

    /**
     * Enqueues an item if there is room, and does not wait for it. Takes no position otherwise, so it promises no fairness:
     * while producers wait in {@link #enqueue}, there is never room for this one.
     *
     * @return false if this thread knows of no room. A dequeue that has just returned may still be on its way to here
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
     * Enqueues items in their order, with fewer round trips than one by one. This is not atomic: others may come in
     * between, and the consumer may see the first before the last is there.
     *
     * @throws QueueDestroyedException as {@link #enqueue}; some of the items may be in the queue
     */
    public abstract void enqueueAll(List<? extends T> batchOfItems, ComputeThread ct);

    /** Encodes an item into a place of local memory. */
    final void stage(T item, int place) {
        outgoing.set(place, item);
    }

    /** Takes the next positions, whether their blocks are free or not; returns the first. */
    final long takePositions(int count, ComputeThread ct) {
        long first = This.claimed.fetchAdd(count, ct);
        claimed = first + count;
        return first;
    }

    /** A sequence that WRITEs items from a place on, and then their states. They are all in front of the ring's end. */
    final Sequence publishing(long position, int place, int count, ComputeThread ct) {
        for (int i = 0; i < count; i++) {
            outgoing.setState(place + i, position + i + 1);
        }
        int block = ring.block(position);
        LocalMemory memory = outgoing.memory();
        return ct.sequence()
                .write(ring.item(block), memory, outgoing.itemAt(place), count * ring.stride())
                .write(ring.state(block), memory, outgoing.stateAt(place), count * Long.BYTES);
    }

    /** Whether the block of a position is known to be free for it. */
    final boolean isFree(long position) {
        return position - released < ring.capacity();
    }

    /** The same after a second look, if need be. */
    final boolean isFree(long position, ComputeThread ct) {
        if (!isFree(position)) {
            look(ct);
        }
        return isFree(position);
    }

    /** How many positions from this one on, itself included, are known to be free and in front of the ring's end. */
    final int freeFrom(long position) {
        return (int) Math.min(released + ring.capacity() - position, ring.capacity() - ring.block(position));
    }

    /** Returns when the block of a position is free for it. */
    final void awaitFree(long position, ComputeThread ct) {
        while (!isFree(position, ct)) {
            waitForConsumer(ct);
        }
    }

    /** Looks how far the consumer has come, who that is, and whether the queue is still there. */
    final void look(ComputeThread ct) {
        ct.read(This.released.pointer(), seen, 0, LOOK_BYTES);
        released = seen.getLong(0);
        consumerWord = seen.getLong(Long.BYTES);
        if (seen.getLong(2 * Long.BYTES) != 0) {
            throw new QueueDestroyedException(this + " has been destroyed");
        }
    }

    /** One pause of a wait for room. */
    final void waitForConsumer(ComputeThread ct) {
        if (consumer != null) {
            throw new IllegalStateException(
                    this + " is full, and " + ct + " is the one that dequeues: it would wait for itself");
        }
        if (consumerWord == 0) {
            ct.pause();
        } else {
            ct.pauseFor((int) consumerWord - 1);
        }
    }

    // ------------------------------------------------------------------------------------------------ dequeueing

    /**
     * Dequeues the next item, waiting for it if need be. The first handle that dequeues is the consumer for good.
     *
     * @throws IllegalStateException if another thread, or this one through another handle, is the consumer
     * @throws QueueDestroyedException if the queue is destroyed while this waits
     * @throws dev.remus.fabric.NodeLostException if a node is lost while this waits and {@code --on-node-loss} says abort
     */
    public final T dequeue(ComputeThread ct) {
        RingConsumer<T> here = consumer(ct);
        while (here.poll(1, ct) == 0) {
            waitForProducers(here, ct);
        }
        T item = here.take();
        here.release(1, ct);
        return item;
    }

    /**
     * Dequeues the next item if it is there, and does not wait. {@code EMPTY} says that no producer has taken a position that
     * has not been dequeued, {@code NOT_READY} that one has, and has not finished.
     *
     * @throws IllegalStateException as {@link #dequeue}
     */
    @Override
    public final Dequeued<T> tryDequeue(ComputeThread ct) {
        RingConsumer<T> here = consumer(ct);
        if (here.poll(1, ct) == 0) {
            return isEmpty(here, ct) ? Dequeued.empty() : Dequeued.notReady();
        }
        T item = here.take();
        here.release(1, ct);
        return Dequeued.of(item);
    }

    /**
     * Whether all positions that were taken have been dequeued, when nothing could be. Who never waits sees here that what it
     * released did not arrive, and that producers wait for room in vain.
     */
    private boolean isEmpty(RingConsumer<T> here, ComputeThread ct) {
        ct.read(This.claimed.pointer(), seen, 0, STATUS_BYTES);
        boolean isEmpty = seen.getLong(0) == here.next();
        if (seen.getLong(RELEASED_IN_STATUS) != here.next()) {
            here.recount(ct);
        }
        return isEmpty;
    }

    /**
     * Tries for some time to dequeue the next item.
     *
     * @param nanos for how long at least, in nanoseconds
     * @throws IllegalStateException as {@link #dequeue}
     * @throws QueueDestroyedException if the queue is destroyed meanwhile
     */
    public final Dequeued<T> tryDequeue(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        RingConsumer<T> here = consumer(ct);
        while (here.poll(1, ct) == 0 && ct.nanoTime() - start < nanos) {
            waitForProducers(here, ct);
        }
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
            waitForProducers(consumer(ct), ct);
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
        if (taken == 0) {
            isEmpty(consumer(ct), ct);
        }
        return taken;
    }

    private int takeAll(int most, Consumer<? super T> taker, ComputeThread ct) {
        if (most < 1) {
            throw new IllegalArgumentException("at most " + most + " items: needs at least 1");
        }
        RingConsumer<T> here = consumer(ct);
        int ready = here.poll(most, ct);
        int taken = 0;
        try {
            while (taken < ready) {
                T item = here.take();
                taken++;
                taker.accept(item);
            }
        } finally { // what the taker has not seen stays in the queue
            here.release(taken, ct);
        }
        return taken;
    }

    /** One pause of a wait for an item. */
    private void waitForProducers(RingConsumer<T> here, ComputeThread ct) {
        look(ct);
        if (released != here.next()) {
            here.recount(ct);
        }
        ct.pause();
    }

    private RingConsumer<T> consumer(ComputeThread ct) {
        RingConsumer<T> here = consumer;
        if (here == null) {
            here = becomeConsumer(ct);
            consumer = here;
        }
        return here;
    }

    private RingConsumer<T> becomeConsumer(ComputeThread ct) {
        long me = ct.id() + 1L;
        long other = This.consumer.compareAndExchange(0, me, ct);
        if (other != 0) {
            throw new IllegalStateException(ct + " cannot dequeue from " + this + ": "
                    + (other == me
                            ? "it does so through another handle"
                            : "thread " + (other - 1) + " does, and there can be one only"));
        }
        return new RingConsumer<>(ring, batch, This.released, This.released.load(ct), codec, ct);
    }

    // ------------------------------------------------------------------------------------------------ the end

    /**
     * Ends the queue: who waits on it gets a {@link QueueDestroyedException}. No thread may begin an operation afterwards.
     * The memory goes to {@link ComputeThread#schedReclaim}, since some may still be looking.
     */
    @Override
    public final void destroy(ComputeThread ct) {
        This.destroyed.store(1, ct);
        ct.schedReclaim(ring.start(), ring.bytes());
    }

    /** What it is and where. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + " of " + ring;
    }
}
