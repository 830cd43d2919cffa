// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A bounded queue for any number of producers and one consumer that keeps the order of arrival, also of the producers
 * that wait for room.
 *
 * <p><b>Promises.</b> Linearizable, first in, first out: items leave in the order in which their positions were taken.
 * {@link #enqueue} does not wait while there are fewer than {@link #capacity} items; then it blocks, and waiting
 * producers are served in the order of their arrival. {@link #tryEnqueue} is lock-free: it fails to take a position
 * only if another producer takes it. Then it backs off, for up to 8 ms if hundreds of producers compete. FULL is a
 * hint, and not part of the order. {@link #dequeue} blocks until the next item is there; {@link #tryDequeue} is
 * wait-free.
 *
 * <p><b>Linearization points.</b> An enqueue: when its FAA, or successful CAS, takes the position. A dequeue: when the
 * READ of the state finds the item there. {@link Dequeued.Kind#EMPTY}: when the READ of the {@code claimed} word shows
 * that no position is taken beyond what was dequeued.
 *
 * <p><b>Death.</b> A producer that dies, or is stopped, between taking its position and writing the state stops the
 * consumer there, although later items are ready, and then the producers, once the buffer is full. The consumer sees
 * {@link Dequeued.Kind#NOT_READY}. At any other moment, the death of a producer blocks no other thread. If a lane
 * breaks, an enqueue that throws has an unknown outcome. It may have stopped the queue as if its thread had died there.
 *
 * <p>Under {@code --on-node-loss abort}, waits end with a {@code NodeLostException} then. Under {@code continue}, the
 * consumer passes over a position that no thread will fill, and over no other: it waits for a producer that is only
 * slow. It waits for a lost producer until that is cut off; if that fails, {@link #dequeue} throws. An enqueue that
 * throws has given its position up; if its lane cannot be connected, it waits for that, and the consumer with it. If
 * the thread is interrupted, it gives the position up at once if it can, else as a {@link dev.remus.node.Cleanup} of
 * its later operations. {@link OpenClaim} shows how the consumer can tell.
 *
 * <p>If the consumer is lost, a wait for room ends with a {@code NodeLostException}. Under {@code continue}, another
 * thread may dequeue once the consumer is cut off ({@link dev.remus.node.Peers#isLost}). It may dequeue again the last
 * items that the lost one had taken: those whose release had not arrived.
 *
 * <p><b>In place.</b> A producer may write the bytes of an item to {@link #stage} instead of having a codec encode it,
 * and the consumer may read them where they were fetched to ({@link #dequeueInPlace}). Promises and round trips are the
 * same. The position is taken by {@link #enqueueStaged} and not before: a producer that is slow between the two, gives
 * its item up or dies there holds no position, so no other thread can tell. An item that was given up needs no abort.
 *
 * <p><b>Round trips.</b> Without waiting: enqueue 2 (FAA; item and state), and one more each lap to see how far the
 * consumer is; tryEnqueue the same (CAS instead), and one more for each time that another producer was faster, two
 * after a long pause. Dequeue 1, and none for an item that came along with the one before: a look at the ring fetches
 * up to 256 bytes of items. TryDequeue the same, 2 if there is nothing, also of a tried batch. A batch of up to 32
 * items: enqueue 2, dequeue 1, and one more of either at the end of the ring. Under {@code --on-node-loss continue} the
 * same, and one more before a producer waits.
 *
 * <p>Source: the specification of a buffered RDMA queue that borrows from CRQ (A. Morrison and Y. Afek, "Fast
 * Concurrent Queues for x86 Processors", PPoPP 2013), without its mistakes: one FAA takes block and turn together, so
 * that no producer can be overtaken between the two; only the consumer lets the next lap begin; positions have 64 bits.
 *
 * @param <T> a local item
 */
public final class BufferedQueue<T> extends RingQueue<T> {
    /** In ASCII, "fifo". */
    private static final long KIND = 0x66_69_66_6F;

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
        return Ring.create(KIND, capacity, codec, false, start, ct);
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same kind as it was created with
     * @throws IllegalArgumentException if it is no such queue, or for items of another size
     */
    public BufferedQueue(RdmaPtr<Ring> This, Codec<T> codec, ComputeThread ct) {
        super(KIND, This, codec, false, ct);
    }

    @Override
    public long enqueue(T item, ComputeThread ct) {
        stage(item, 0);
        return enqueueStaged(ct);
    }

    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        stage(item, 0);
        return tryEnqueueStaged(ct);
    }

    @Override
    public void enqueueAll(List<? extends T> items, ComputeThread ct) {
        int batch = This.batch();
        for (int from = 0; from < items.size(); from += batch) {
            int count = Math.min(batch, items.size() - from);
            for (int i = 0; i < count; i++) {
                stage(items.get(from + i), i);
            }
            enqueueAllStaged(count, ct);
        }
    }

    // ------------------------------------------------------------------------------------------------ in place

    /**
     * The place for the next item in local memory, to be written before {@link #enqueueStaged}. What is written there
     * is in no queue yet, and may be given up or written anew.
     *
     * @return the bytes of an item, undefined at first and whenever this handle has enqueued
     */
    public ByteBuffer stage() {
        return producer.staged().item(0, codec.bytes());
    }

    /**
     * Enqueues the item that was written to {@link #stage}, waiting for room if need be.
     *
     * @return the position that was taken for it
     * @throws QueueDestroyedException as {@link #enqueue}
     * @throws dev.remus.fabric.NodeLostException as {@link #enqueue}
     */
    public long enqueueStaged(ComputeThread ct) {
        try {
            long position = producer.claim(1, ct);
            producer.awaitFree(position, ct);
            producer.publishLast(position, 0, 1);
            return position;
        } catch (RuntimeException e) {
            throw producer.givenUp(e, ct);
        }
    }

    /**
     * Enqueues the item that was written to {@link #stage} if there is room. If not, it stays there and may be tried
     * again. Otherwise like {@link #tryEnqueue}.
     */
    public boolean tryEnqueueStaged(ComputeThread ct) {
        try {
            while (producer.isFree(producer.next(), ct)) {
                long position = producer.next();
                if (producer.tryClaim(position, ct)) {
                    producer.publishLast(position, 0, 1);
                    return true;
                }
                producer.backOff(ct);
            }
            producer.giveUp(ct);
            return false;
        } catch (RuntimeException e) {
            throw producer.givenUp(e, ct);
        }
    }

    /** Enqueues the items in the first places. */
    void enqueueAllStaged(int count, ComputeThread ct) {
        try {
            publishInOrder(producer.claim(count, ct), count, ct);
        } catch (RuntimeException e) {
            throw producer.givenUp(e, ct);
        }
    }

    private void publishInOrder(long first, int count, ComputeThread ct) {
        for (int done = 0; done < count; ) {
            if (!producer.isFree(first + count - 1, ct)) {
                producer.awaitFree(first + done, ct);
            }
            int part = Math.min(count - done, producer.freeFrom(first + done));
            if (done + part < count) {
                producer.publish(first + done, done, part);
            } else {
                producer.publishLast(first + done, done, part);
            }
            done += part;
        }
    }
}
