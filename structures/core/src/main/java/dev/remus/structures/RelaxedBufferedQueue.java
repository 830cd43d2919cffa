// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Codec;
import java.util.List;

/**
 * A bounded queue for any number of producers and one consumer in which producers that wait for room take no turns: the
 * first that sees a free block gets it.
 *
 * <p>A position that a producer takes decides only about the block. There it races with those that have taken a
 * position of the same block in another lap, by CAS on the block's own position:
 *
 * <pre>
 *  claimed:  taken by FAA     p = 4          p = 8
 *  N = 4                      |              |
 *  block 0:  position 4 --CAS-+--> 8 --CAS---+--> 12      the producer that took 8 may come first, and get 4
 * </pre>
 *
 * <p><b>Promises.</b> Quiescently consistent: order holds across any moment at which no enqueue is in flight; and an
 * item for which position p was taken leaves at a position congruent to p modulo {@link #capacity}. Producers that wait
 * may be overtaken any number of times, and even the items of one of them may leave in another order while others wait.
 * {@link #enqueue} does not wait while there are fewer than {@link #capacity} items, counting those of enqueues in
 * flight; no producer waits for another that has taken a position and not yet a block. A {@link #tryEnqueue} takes the
 * block first: between that and the position it is in the way of one other producer, the one that takes this position
 * meanwhile. Such an enqueue waits until the tryEnqueue goes on, and gives the block back or keeps it, although there
 * may be room; such a tryEnqueue returns false. {@link #tryEnqueue} is lock-free, {@link #dequeue} blocks until the
 * next item is there, {@link #tryDequeue} is wait-free.
 *
 * <p>{@link #enqueueAll} waits no longer than that either. It tries all of its blocks at once, and while it waits for
 * some, it tries all of these in turn, not the first alone: the consumer may wait for any of them. Otherwise two
 * batches that others overtake could block each other and the consumer, in a ring of three blocks or more.
 *
 * <p>An item is in its block some time after the enqueue has returned, at the latest when {@link ComputeThread#place}
 * has; its place in the order is fixed before.
 *
 * <p>Under {@code --on-node-loss continue}, {@link #tryEnqueue} takes the position first. If another producer has the
 * block for it, this one may have to leave a later position empty, over which the consumer passes, and return false. So
 * it never makes another producer wait, but is an enqueue in flight also if it fails.
 *
 * <p><b>Order is fixed</b> for an enqueue when the CAS of the block's position succeeds; for a dequeue when the READ of
 * the state finds the item there.
 *
 * <p><b>Death.</b> A producer that dies between taking a position and taking a block stops the consumer at this block
 * until the next producer comes to it, at most a lap later. One that dies between taking a block and writing its state
 * stops the consumer there for good, and then everybody, as it does in {@link BufferedQueue}; so does a {@link
 * #tryEnqueue} that dies between taking a block and taking the position. The same happens if the lane breaks on which
 * the item was on its way; the producer learns of that at its next operation there. All this is so under {@code
 * --on-node-loss abort}. Under {@code continue}, the queue goes on as {@link BufferedQueue} does: the consumer passes
 * over a block that a lost producer has taken, and takes a block itself if the only producer that would is lost.
 *
 * <p><b>Round trips.</b> Without waiting: enqueue 2 (FAA, CAS; item and state are posted), and one more each lap to see
 * how far the consumer is, and each time that local memory has to be used again, 32 items. TryEnqueue the same (two
 * CAS). Dequeue, tryDequeue and batches as in {@link BufferedQueue}; a batch takes its blocks by one sequence of CAS.
 * Under {@code --on-node-loss continue}, enqueue and tryEnqueue take one more, since they return when the item is
 * there, and a batch is enqueued item by item.
 *
 * <p>Source: the second variant that the specification of {@link BufferedQueue} names, "weaker, serializable, but more
 * performant", and does not show. Here it is nowhere faster: {@code framework/TRUST.md} compares both.
 *
 * @param <T> a local item
 */
public final class RelaxedBufferedQueue<T> extends RingQueue<T> {
    /** In ASCII, "relax". */
    static final long KIND = 0x72_65_6C_61_78L;

    /** The positions that the items of a batch wait for, as their blocks had them when they were seen last. */
    private final LocalBuffer wanted;

    /** The items of a batch that have no block yet, by their numbers. */
    private final int[] open;

    /** How many places of local memory hold items that are on their way. */
    private int posted;

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity how many items have room, at least 1; indexing is fastest with a power of two
     * @param codec for items of any size
     */
    public static RdmaPtr<Ring> create(int capacity, Codec<?> codec, ComputeThread ct) {
        return create(capacity, codec, 0, ct);
    }

    /** The same with another first position. */
    static RdmaPtr<Ring> create(int capacity, Codec<?> codec, long start, ComputeThread ct) {
        return Ring.create(KIND, capacity, codec, true, start, ct);
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same kind as it was created with
     * @throws IllegalArgumentException if it is no such queue, or for items of another size
     */
    public RelaxedBufferedQueue(RdmaPtr<Ring> This, Codec<T> codec, ComputeThread ct) {
        super(KIND, This, codec, true, ct);
        this.wanted = ct.allocateLocal((long) this.This.batch() * Long.BYTES);
        this.open = new int[this.This.batch()];
    }

    @Override
    public long enqueue(T item, ComputeThread ct) {
        int place = nextPlaces(1, ct);
        stage(item, place);
        try {
            long position = producer.claim(1, ct);
            takeInTurn(tryNone(position, 1), place, ct);
            return position;
        } catch (RuntimeException e) {
            throw producer.givenUp(e, ct);
        }
    }

    /**
     * {@inheritDoc} Also false if another thread is just taking the next position, which then gets ahead: this one
     * takes first the block, which can be given back as long as its item is not there, and then the position. Under
     * {@code --on-node-loss continue} also false if a producer that has waited has taken the block.
     */
    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        int place = nextPlaces(1, ct);
        stage(item, place);
        return producer.canGiveUp() ? tryClaimFirst(place, ct) : tryTakeFirst(place, ct);
    }

    /**
     * Takes the position, and then the block. If another producer has the block for this position, it takes a later one
     * of the block, and leaves it empty if it is not free: each position that is taken stands for one that passes.
     */
    private boolean tryClaimFirst(int place, ComputeThread ct) {
        try {
            while (producer.isFree(producer.next(), ct)) {
                long position = producer.next();
                if (producer.tryClaim(position, ct)) {
                    long found = takeIn(position, ct);
                    while (found != position) {
                        position = found;
                        found = takeIn(position, ct);
                    }
                    if (producer.isFree(position)) {
                        producer.post(position, place, 1);
                        return true;
                    }
                    break;
                }
                producer.backOff(ct);
            }
            producer.giveUp(ct);
            return false;
        } catch (RuntimeException e) {
            throw producer.givenUp(e, ct);
        }
    }

    private boolean tryTakeFirst(int place, ComputeThread ct) {
        while (producer.isFree(producer.next(), ct)) {
            long position = producer.next();
            if (takeIn(position, ct) == position) {
                if (producer.tryClaim(position, ct)) {
                    producer.post(position, place, 1);
                    return true;
                }
                giveBack(position, ct);
            } else if (producer.loadNext(ct) == position) {
                return false; // another producer is just trying the same
            }
            ct.pause();
        }
        return false;
    }

    /**
     * Takes the block of a position if it is free in this lap; returns the position that the block had: this one, if it
     * was.
     */
    private long takeIn(long position, ComputeThread ct) {
        return producer.swap(position, pointerTo(position), position + This.capacity(), ct);
    }

    private long pointerTo(long position) {
        return This.positions().pointer(This.block(position));
    }

    private void giveBack(long position, ComputeThread ct) {
        long next = position + This.capacity();
        long held = This.positions().compareAndExchange(This.block(position), next, position, ct);
        assert held == next : "another producer has taken a block that was not free";
    }

    @Override
    public void enqueueAll(List<? extends T> items, ComputeThread ct) {
        if (producer.canGiveUp()) {
            for (int i = 0; i < items.size(); i++) {
                enqueue(items.get(i), ct);
            }
            return;
        }
        int batch = This.batch();
        for (int from = 0; from < items.size(); from += batch) {
            int count = Math.min(batch, items.size() - from);
            int place = nextPlaces(count, ct);
            for (int i = 0; i < count; i++) {
                stage(items.get(from + i), place + i);
            }
            enqueueStaged(place, count, ct);
        }
    }

    private void enqueueStaged(int place, int count, ComputeThread ct) {
        long first = producer.claim(count, ct);
        int left = producer.isFree(first + count - 1, ct) ? takeAtOnce(first, place, count, ct) : tryNone(first, count);
        takeInTurn(left, place, ct);
    }

    /** Tries all blocks of a batch at once, and posts the items that get theirs; returns how many do not. */
    private int takeAtOnce(long first, int place, int count, ComputeThread ct) {
        Sequence swaps = ct.sequence();
        for (int i = 0; i < count; i++) {
            long position = first + i;
            swaps.compareAndSwap(
                    pointerTo(position), position, position + This.capacity(), wanted, (long) i * Long.BYTES);
        }
        swaps.execute();
        int left = 0;
        for (int i = 0; i < count; ) {
            int run = 0;
            while (i + run < count && wanted(i + run) == first + i + run && run < producer.freeFrom(first + i)) {
                run++;
            }
            if (run > 0) {
                producer.post(first + i, place + i, run);
            } else {
                open[left++] = i;
            }
            i += Math.max(run, 1);
        }
        return left;
    }

    /** Prepares a batch of which no block has been tried; returns how many items it has. */
    private int tryNone(long first, int count) {
        for (int i = 0; i < count; i++) {
            want(i, first + i);
            open[i] = i;
        }
        return count;
    }

    /**
     * Takes blocks for the first items that are open, in this or another lap, and posts the items. Tries all of them
     * before it waits: the next item of the queue may be one of these.
     */
    private void takeInTurn(int items, int place, ComputeThread ct) {
        int left = items;
        while (left > 0) {
            int before = left;
            left = takeFree(left, place, ct);
            if (left == before && !producer.isFree(earliest(left), ct)) {
                readWanted(left, ct); // an earlier lap may be free, or given back
                if (!producer.isFree(earliest(left))) {
                    producer.waitForConsumer(earliest(left), ct);
                }
            }
        }
    }

    /** Takes the blocks that are known to be free, if no other producer is faster; returns how many items have none. */
    private int takeFree(int items, int place, ComputeThread ct) {
        int left = 0;
        for (int k = 0; k < items; k++) {
            int i = open[k];
            if (!isTaken(i, place, ct)) {
                open[left++] = i;
            }
        }
        return left;
    }

    private boolean isTaken(int i, int place, ComputeThread ct) {
        while (producer.isFree(wanted(i))) {
            long position = wanted(i);
            want(i, takeIn(position, ct));
            if (wanted(i) == position) {
                producer.post(position, place + i, 1);
                return true;
            }
        }
        return false;
    }

    private void readWanted(int items, ComputeThread ct) {
        Sequence reads = ct.sequence();
        for (int k = 0; k < items; k++) {
            reads.read(pointerTo(wanted(open[k])), wanted, (long) open[k] * Long.BYTES, Long.BYTES);
        }
        reads.execute();
    }

    /** The earliest position that an open item waits for. */
    private long earliest(int items) {
        long earliest = wanted(open[0]);
        for (int k = 1; k < items; k++) {
            earliest = wanted(open[k]) - earliest < 0 ? wanted(open[k]) : earliest;
        }
        return earliest;
    }

    private long wanted(int i) {
        return wanted.getLong((long) i * Long.BYTES);
    }

    private void want(int i, long position) {
        wanted.putLong((long) i * Long.BYTES, position);
    }

    /** Places in local memory of which nothing is on its way. */
    private int nextPlaces(int count, ComputeThread ct) {
        if (posted + count > This.batch()) {
            ct.place();
            posted = 0;
        }
        int place = posted;
        posted += count;
        return place;
    }
}
