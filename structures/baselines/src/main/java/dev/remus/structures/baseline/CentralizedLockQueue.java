// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.RemoteArray;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;

/**
 * A queue that is a linked list with one head and one tail for all, and a lock for each thread's memory. An operation
 * locks head and tail, or the elements of a thread, before it touches them. Simple, and slow with many threads: a
 * measure for others.
 *
 * <pre>
 *   This                                             region of thread i (QueueRegions), near that thread
 *  +----------+------------+------+------+          +----------+------+-----------+-----------+-- ...
 *  | capacity | item bytes | head | tail |          | enqueued | lock | element 0 | element 1 |
 *  +----------+------------+------+------+          +----------+------+-----------+-----------+-- ...
 *  | pointers to the regions of all threads |
 *  +----------------------------------------+
 *  | lock of head and tail                  |
 *  +----------------------------------------+
 * </pre>
 *
 * <p><b>Promises.</b> Linearizable, first in, first out. Both operations block; waiters are served in order of
 * their arrival ({@link RemoteLock}). There is room for so many items <em>of each thread</em>: a thread gets FULL if
 * and only if that many of its own are in the queue.
 *
 * <p><b>Linearization points.</b> An enqueue: when the tail's {@code next}, or the head, is written. FULL: when the
 * state of the thread's oldest element is read. A dequeue: when the head is written. EMPTY: when the head is read.
 *
 * <p><b>Death.</b> The queue goes on, whatever a lost thread was doing: it holds the elements that can be reached from
 * the head. The next thread that takes the lock of head and tail gives it the last of them as tail. So an operation of
 * a lost thread has been done or not, by the step at which the thread was lost:
 *
 * <ul>
 *   <li>Enqueue, before the tail's {@code next} or, in an empty queue, the head is written: not done. If the tail is
 *       written already, it is cleared.
 *   <li>Enqueue, after that: done. If the tail is not written yet, it is moved to the new element.
 *   <li>Dequeue, before the head is written: not done. If the tail is cleared already, it is set to the first element,
 *       the only one. If the state is DEQUEUED already, the element stays the first one all the same. Meanwhile its
 *       thread may enqueue one item too many. Therefore a region has one cell more than there is room for, and an
 *       element's memory is used again only when the next one of its thread is DEQUEUED: then the head has passed it.
 *   <li>Dequeue, after that: done, and the item is gone. If the tail is not cleared yet behind the last element, it is.
 * </ul>
 *
 * <p>A thread that is lost in the repair leaves it to the next one. The lock of a thread's memory needs none: of an
 * element in the queue, a holder changes one word. The items of a lost thread can be dequeued. One element that it had
 * not enqueued may stay in its region, and no other memory is lost. A thread that stops in a node that lives is waited
 * for, and a lost node that is not cut off in time fails the waiters ({@link dev.remus.lock.LostHolderException}).
 *
 * <p><b>Broken lanes.</b> An operation whose lane breaks goes on: it repeats its WRITEs, before it releases the lock by
 * which no other thread accesses these words. So it has a definite outcome, and its locks come free. Only if a lane
 * cannot be connected again, or breaks many times in a row, or the thread is interrupted, does it throw a {@link
 * dev.remus.fabric.FabricException}. Part of a change may then be missing, and the thread keeps the lock: once its node
 * has ended, the next holder completes the change, as after a death.
 *
 * <p><b>Round trips</b> without contention: enqueue 15, or 11 into an empty queue; dequeue 10; FULL and EMPTY 5. Where
 * WRITEs have to be placed, which is everywhere but on {@code shm}, up to 3 more for an enqueue and 2 for a dequeue.
 *
 * <p>The regions are the queue's until it is destroyed, so no operation retires a block. A handle belongs to one
 * thread, and each thread enqueues through one at a time. Apart from items an operation allocates nothing locally.
 *
 * <p>Source: the blocking centralised queue in section 2 of A. Burachenko, A. Paznikov, D. Derzhavin, doi
 * 10.17223/19988605/62/2, which locks the memory of whole processes.
 *
 * @param <T> items
 */
public final class CentralizedLockQueue<T> implements RemoteQueue<T> {
    /** What all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteLong capacity = longField();
        private final RemoteLong itemBytes = longField();
        private final RemoteLong head = longField();
        private final RemoteLong tail = longField();
        private final RemoteLongArray regions;
        private final RemoteBytes lock;

        private Shared(int threads) {
            regions = longArrayField(threads);
            lock = bytesField(RemoteLock.bytes(threads));
        }
    }

    /** A thread's memory. */
    private static final class Region extends QueueRegion {
        private final RemoteLong enqueued = longField();
        private final RemoteBytes lock;
        private final RemoteArray elements;

        Region(int threads, int length, Codec<?> codec) {
            lock = bytesField(RemoteLock.bytes(threads));
            elements = arrayField(length, new QueueElement<>(codec).bytes());
        }

        @Override
        RemoteArray cells() {
            return elements;
        }
    }

    private final Shared This;
    private final QueueRegions regions;
    private final Region region;
    private final QueueElement<T> element;

    /** Of head and tail. */
    private final RemoteLock ends;

    /** Of the memory of one thread. */
    private final RemoteLock memory;

    /** How many items this thread has enqueued. */
    private long enqueued;

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity how many items of each thread have room, at least 1
     * @param codec of the items
     */
    public static <T> RdmaPtr<Shared> create(int capacity, Codec<T> codec, ComputeThread ct) {
        LockQueues.checkCapacity(capacity);
        Shared shared = new Shared(ct.threads());
        shared.allocate(ct);
        CentralizedLockQueue<T> queue = new CentralizedLockQueue<>(shared, capacity, codec, ct);
        queue.regions.allocate(ct);
        queue.regions.store(shared.regions, ct);
        for (int thread = 0; thread < ct.threads(); thread++) {
            queue.lockAt(thread).init(ct);
        }
        queue.ends.init(ct);
        shared.capacity.store(capacity, ct);
        shared.itemBytes.store(codec.bytes(), ct);
        shared.head.store(QueueRegions.NONE, ct);
        shared.tail.store(QueueRegions.NONE, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same size as it was created with
     */
    public CentralizedLockQueue(RdmaPtr<Shared> This, Codec<T> codec, ComputeThread ct) {
        this(sharedAt(This, ct), codec, ct);
        LockQueues.checkItemBytes(this.This.itemBytes.load(ct), codec, this.This);
        regions.load(this.This.regions, ct);
        region.at(regions.base(ct.id()));
        enqueued = region.enqueued.load(ct);
    }

    private CentralizedLockQueue(Shared This, Codec<T> codec, ComputeThread ct) {
        this(This, (int) This.capacity.load(ct), codec, ct);
    }

    private CentralizedLockQueue(Shared This, int capacity, Codec<T> codec, ComputeThread ct) {
        int threads = ct.threads();
        this.This = This;
        this.region = new Region(threads, capacity + 1, codec);
        this.element = new QueueElement<>(codec);
        this.regions = new QueueRegions(new Region(threads, capacity + 1, codec), threads);
        this.ends = new RemoteLock(threads);
        this.ends.at(This.lock.pointer());
        this.memory = new RemoteLock(threads);
    }

    private static Shared sharedAt(RdmaPtr<Shared> pointer, ComputeThread ct) {
        Shared shared = new Shared(ct.threads());
        shared.at(pointer);
        return shared;
    }

    /** The lock of a thread's memory. */
    private RemoteLock lockAt(int thread) {
        region.at(regions.base(thread));
        memory.at(region.lock.pointer());
        return memory;
    }

    /** Locks a thread's memory. A holder that died has left nothing half done there, or it is repaired elsewhere. */
    private void lockMemory(int thread, ComputeThread ct) {
        lockAt(thread).acquire(ct);
        memory.makeConsistent();
    }

    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        long fresh = QueueRegions.reference(ct.id(), enqueued);
        lockMemory(ct.id(), ct);
        try {
            element.at(regions.cell(fresh + 1)); // there is this thread's oldest element, of a round ago
            if (element.state.load(ct) == QueueElement.IN_QUEUE) {
                return false; // so all that came after it are in the queue too
            }
            element.at(regions.cell(fresh));
            element.begin(fresh, item, ct);
            enqueued++;
            LockQueues.store(region.enqueued, enqueued, ct);
        } finally {
            memory.release(ct);
        }
        link(fresh, ct);
        return true;
    }

    private void link(long fresh, ComputeThread ct) {
        if (ends.acquire(ct) == Acquisition.HOLDER_DIED) {
            repair(ct);
        }
        long last = This.tail.load(ct);
        if (last != QueueRegions.NONE) {
            setNext(last, fresh, ct);
        }
        do {
            if (last == QueueRegions.NONE) {
                This.head.post(fresh, ct);
            }
            This.tail.post(fresh, ct);
        } while (!LockQueues.isPlaced(ct));
        ends.release(ct); // not after a failure, so that the next holder learns of it
    }

    private void setNext(long last, long fresh, ComputeThread ct) {
        lockMemory(QueueRegions.thread(last), ct);
        try {
            element.at(regions.cell(last));
            LockQueues.store(element.next, fresh, ct);
        } finally {
            memory.release(ct);
        }
    }

    @Override
    public Dequeued<T> tryDequeue(ComputeThread ct) {
        Acquisition acquisition = ends.acquire(ct);
        try {
            if (acquisition == Acquisition.HOLDER_DIED) {
                repair(ct);
            }
            long first = This.head.load(ct);
            if (first == QueueRegions.NONE) {
                return Dequeued.empty();
            }
            take(first, ct);
            do {
                This.head.post(element.next.fetched(), ct);
                if (element.next.fetched() == QueueRegions.NONE) {
                    This.tail.post(QueueRegions.NONE, ct);
                }
            } while (!LockQueues.isPlaced(ct));
            return Dequeued.of(element.item.fetched());
        } finally {
            ends.release(ct);
        }
    }

    private void take(long first, ComputeThread ct) {
        lockMemory(QueueRegions.thread(first), ct);
        try {
            element.at(regions.cell(first));
            element.fetch(ct);
            LockQueues.store(element.state, QueueElement.DEQUEUED, ct);
        } finally {
            memory.release(ct);
        }
    }

    /**
     * Gives the queue its last element as tail, after a thread died that may have changed something else first. Changes
     * nothing if it has not, so that it can be repeated.
     */
    private void repair(ComputeThread ct) {
        long first = This.head.load(ct);
        long last = This.tail.load(ct);
        if (first == QueueRegions.NONE || last == QueueRegions.NONE) {
            last = first; // the first element came into an empty queue, or there is none
        } else {
            element.at(regions.cell(last));
            long next = element.next.load(ct);
            last = next == QueueRegions.NONE ? last : next;
        }
        LockQueues.store(This.tail, last, ct);
        ends.makeConsistent();
    }

    @Override
    public void destroy(ComputeThread ct) {
        regions.free(ct);
        This.free(ct);
    }
}
