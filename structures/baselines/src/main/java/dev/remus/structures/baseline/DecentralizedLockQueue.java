// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RemoteQueue;

/**
 * A queue that is a linked list without a centre: each thread has references of its own to head and tail, which may be
 * behind the times, and walks from there to where it has to be. Each element and each reference has a lock.
 *
 * <pre>
 *   This                       region of thread i (QueueRegions), near that thread
 *  +----------+------------+  +----------+------+------+-----------------------+-----------------------+-- ...
 *  | capacity | item bytes |  | enqueued | head | tail | lock of, and element 0 | lock of, and element 1 |
 *  +----------+------------+  +----------+------+------+-----------------------+-----------------------+-- ...
 *  | pointers to regions   |              reference: | lock | element | its position |
 *  +-----------------------+
 * </pre>
 *
 * <p>The list begins with an element that was never in the queue. A dequeue marks the first element that is IN_QUEUE as
 * DEQUEUED, so all before it are DEQUEUED; an enqueue links a new element to the last, whatever its state. A thread
 * that has moved the head or the tail updates the references of the threads in random order, its own first. It stops at
 * the first newer reference: then another thread is updating the rest. The position, which is one more than the
 * predecessor's, decides which reference is newer: a logical stamp, not a clock.
 *
 * <p><b>Using an element's memory again.</b> No reference may be left behind an element that is used again: its owner
 * first moves all that are. An element whose memory is used again has been DEQUEUED and has a successor, so the walk
 * from a reference always comes to the end. A thread that was on its way to such an element finds another one there, by
 * the number in {@code self}, and starts again from its reference, which has been moved meanwhile.
 *
 * <p><b>Promises.</b> Linearizable, first in, first out. Both operations block. There is room for so many items <em>of
 * each thread</em>: a thread gets FULL if and only if that many of its own are in the queue. (A region has one cell
 * more, for the last element of the list, which stays when it is DEQUEUED.)
 *
 * <p><b>Linearization points.</b> An enqueue: when the last element's {@code next} is written. FULL: when the state of
 * the thread's oldest item is read. A dequeue: when the element's state becomes DEQUEUED. EMPTY: when the last element
 * is read and is DEQUEUED. All but FULL while the element's lock is held.
 *
 * <p><b>Death.</b> The queue goes on, whatever a lost thread was doing. The next thread that takes a lock in which a
 * holder died recognises and completes what is half done:
 *
 * <ul>
 *   <li>Enqueue, in the lock of its new element: not done. The element is not in the queue, but it may be written in
 *       part, and still look like the one that was in its memory before. A thread that arrives there checks its own
 *       reference: if that has been moved beyond the old element, as all were before its memory was used again, the
 *       thread starts again from there.
 *   <li>Enqueue, when the last element has its new {@code next}: done. Its successor may lack the position, and gets it
 *       before any thread can reach it.
 *   <li>Dequeue, when the element is DEQUEUED: done, and its item is gone.
 *   <li>Both, when a reference is moved: one of its two words may be old. It names an element of the list all the same,
 *       and gets the position of that one. References that have not been moved are moved by others.
 *   <li>In any other step of either, one word decides, or nothing has been changed: there is nothing to complete.
 * </ul>
 *
 * <p>A thread that is lost in a repair leaves it to the next one. The items of a lost thread can be dequeued. One
 * element that it had not enqueued may stay in its region, and no other memory is lost. A thread that stops in a node
 * that lives is waited for, and a lost node that is not cut off in time fails the waiters ({@link
 * dev.remus.lock.LostHolderException}).
 *
 * <p><b>Broken lanes.</b> An operation whose lane breaks goes on: it repeats its WRITEs, before it releases the lock by
 * which no other thread accesses these words. So it has a definite outcome, and its locks come free. Only if a lane
 * cannot be connected again, or breaks many times in a row, or the thread is interrupted, does it throw a {@link
 * dev.remus.fabric.FabricException}. Part of a change may then be missing, and the thread keeps the lock: once its node
 * has ended, the next holder completes the change, as after a death.
 *
 * <p><b>Round trips</b> without contention, with N threads: enqueue 15 + 5N, or 15 + 10N into an empty queue; dequeue
 * 10 + 5N, or 10 for the last item; EMPTY 10; FULL 1. For each element on the way 5 more, and once a thread has been
 * through its cells, 1 more for each enqueue and 10N at times, to use memory again. Where WRITEs have to be placed,
 * which is everywhere but on {@code shm}, one more for each lock that is released after a change.
 *
 * <p>The regions are the queue's until it is destroyed, so no operation retires a block. A handle belongs to one
 * thread, and each thread enqueues through one at a time. Apart from items an operation allocates nothing locally.
 *
 * <p>Source: the blocking decentralised queue in section 2 of A. Burachenko, A. Paznikov, D. Derzhavin, doi
 * 10.17223/19988605/62/2: its lock-free queue with locks in place of compare-and-swap. Not taken over are its
 * timestamps from clocks, references that cannot be distinguished from their cell's next life, and FULL because of a
 * thread that idles.
 *
 * @param <T> items
 */
public class DecentralizedLockQueue<T> implements RemoteQueue<T> {
    /** What all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteLong capacity = longField();
        private final RemoteLong itemBytes = longField();
        private final RemoteLongArray regions;

        private Shared(int threads) {
            regions = longArrayField(threads);
        }
    }

    /**
     * What is there before the first item is enqueued: number 0 of the thread with id 0. Others begin with number 1.
     */
    private static final long FIRST = QueueRegions.reference(0, 0);

    private final Shared This;
    private final int capacity;
    private final QueueRegions regions;
    private final DecentralizedRegion region;
    private final QueueReference reference;
    private final ElementCell cell;
    private final QueueElement<T> element;

    /** Of the successor of an element, for a repair. */
    private final QueueElement<T> successor;

    /** One at a time is enough: of an element or of a reference. */
    private final RemoteLock lock;

    /** The threads other than this one, in the order of the last announcement. */
    private final int[] others;

    /** How many items this thread has enqueued. */
    private long enqueued;

    /** No thread's references are behind this position. */
    private long passed;

    // ---------------------------------------------------------------------------------------------- creating

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
        DecentralizedLockQueue<T> queue = new DecentralizedLockQueue<>(shared, capacity, codec, ct);
        queue.regions.allocate(ct);
        queue.regions.store(shared.regions, ct);
        for (int thread = 0; thread < ct.threads(); thread++) {
            queue.init(thread, ct);
        }
        queue.elementAt(FIRST);
        queue.element.self.store(FIRST, ct);
        queue.element.state.store(QueueElement.DEQUEUED, ct);
        shared.capacity.store(capacity, ct);
        shared.itemBytes.store(codec.bytes(), ct);
        return new RdmaPtr<>(shared.pointer());
    }

    private void init(int thread, ComputeThread ct) {
        region.at(regions.base(thread));
        initReference(region.head, ct);
        initReference(region.tail, ct);
        for (int i = 0; i <= capacity; i++) {
            cell.at(regions.cell(thread, i));
            lock.at(cell.lock.pointer());
            lock.init(ct);
        }
    }

    private void initReference(RemoteBytes field, ComputeThread ct) {
        lockAt(field);
        lock.init(ct);
        reference.element.store(FIRST, ct);
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same size as it was created with
     */
    public DecentralizedLockQueue(RdmaPtr<Shared> This, Codec<T> codec, ComputeThread ct) {
        this(sharedAt(This, ct), codec, ct);
        LockQueues.checkItemBytes(this.This.itemBytes.load(ct), codec, this.This);
        regions.load(this.This.regions, ct);
        region.at(regions.base(ct.id()));
        enqueued = region.enqueued.load(ct);
    }

    private DecentralizedLockQueue(Shared This, Codec<T> codec, ComputeThread ct) {
        this(This, (int) This.capacity.load(ct), codec, ct);
    }

    private DecentralizedLockQueue(Shared This, int capacity, Codec<T> codec, ComputeThread ct) {
        int threads = ct.threads();
        this.This = This;
        this.capacity = capacity;
        this.lock = new RemoteLock(threads);
        this.reference = new QueueReference(threads);
        this.region = new DecentralizedRegion(threads, capacity + 1, codec);
        this.cell = new ElementCell(threads, codec);
        this.element = new QueueElement<>(codec);
        this.successor = new QueueElement<>(codec);
        this.regions = new QueueRegions(new DecentralizedRegion(threads, capacity + 1, codec), threads);
        this.others = new int[threads - 1];
        for (int i = 0; i < others.length; i++) {
            others[i] = i < ct.id() ? i : i + 1;
        }
    }

    private static Shared sharedAt(RdmaPtr<Shared> pointer, ComputeThread ct) {
        Shared shared = new Shared(ct.threads());
        shared.at(pointer);
        return shared;
    }

    // ---------------------------------------------------------------------------------------------- the queue

    @Override
    public final boolean tryEnqueue(T item, ComputeThread ct) {
        long number = enqueued + 1;
        if (!hasRoom(number, ct)) {
            return false;
        }
        long fresh = QueueRegions.reference(ct.id(), number);
        lockElement(fresh, ct);
        try {
            element.begin(fresh, item, ct);
            lock.makeConsistent(); // whatever a holder that died has left there, this is another element
        } finally {
            lock.release(ct);
        }
        enqueued = number;
        link(fresh, ct);
        return true;
    }

    /**
     * Whether there is a cell for this thread's next element. Ensures that no thread still looks for another element
     * there.
     */
    private boolean hasRoom(long number, ComputeThread ct) {
        if (number <= capacity) {
            return true;
        }
        long oldest = QueueRegions.reference(ct.id(), number - capacity);
        elementAt(oldest);
        element.fetch(ct);
        if (element.state.fetched() == QueueElement.IN_QUEUE) {
            return false;
        }
        if (passed < element.position.fetched()) { // the one that was in the cell before came earlier
            long position = element.position.fetched();
            moveAll(oldest, position, ct);
            passed = position;
        }
        return true;
    }

    private void link(long fresh, ComputeThread ct) {
        lockLast(ct);
        long position = element.position.fetched() + 1;
        boolean wasEmpty = element.state.fetched() == QueueElement.DEQUEUED;
        long last = element.pointer();
        region.at(regions.base(ct.id()));
        do {
            region.enqueued.post(enqueued, ct);
            elementAt(fresh);
            element.position.post(position, ct);
            element.at(last);
            element.next.post(fresh, ct);
        } while (!LockQueues.isPlaced(ct));
        lock.release(ct); // not after a failure, so that the next holder learns of it
        announce(fresh, position, wasEmpty, true, ct);
    }

    @Override
    public final Dequeued<T> tryDequeue(ComputeThread ct) {
        lockFirst(ct);
        long next = element.next.fetched();
        long position = element.position.fetched();
        Dequeued<T> dequeued = Dequeued.empty();
        try {
            if (element.state.fetched() == QueueElement.IN_QUEUE) {
                LockQueues.store(element.state, QueueElement.DEQUEUED, ct);
                dequeued = Dequeued.of(element.item.fetched());
            }
        } finally {
            lock.release(ct);
        }
        if (dequeued.isItem() && next != QueueRegions.NONE) {
            announce(next, position + 1, true, false, ct);
        }
        return dequeued;
    }

    /**
     * A step of an enqueue: locks and fetches the last element of the list. An experiment overrides it to measure it.
     */
    protected void lockLast(ComputeThread ct) {
        lockFirstFrom(tailOf(ct.id()), true, ct);
    }

    /**
     * A step of a dequeue: locks and fetches the first element that is IN_QUEUE or, if there is none, the last of the
     * list. An experiment overrides it to measure it.
     */
    protected void lockFirst(ComputeThread ct) {
        lockFirstFrom(headOf(ct.id()), false, ct);
    }

    /**
     * Locks and fetches the first element that is the last one of the list or, unless only that will do, IN_QUEUE.
     *
     * @param field this thread's own reference, from where to walk
     */
    private void lockFirstFrom(RemoteBytes field, boolean onlyTheLast, ComputeThread ct) {
        long at = load(field, ct);
        while (true) {
            Acquisition acquisition = lockElement(at, ct);
            boolean isThere = false;
            boolean found = false;
            try {
                element.fetch(ct);
                isThere =
                        element.self.fetched() == at && (acquisition == Acquisition.NORMAL || repairElement(field, ct));
                if (isThere) {
                    found = element.next.fetched() == QueueRegions.NONE
                            || !onlyTheLast && element.state.fetched() == QueueElement.IN_QUEUE;
                }
            } finally {
                if (!found) {
                    lock.release(ct);
                }
            }
            if (found) {
                return;
            }
            if (isThere) {
                at = element.next.fetched();
            } else { // its memory is used again, so the reference has been moved
                ct.pause();
                region.at(regions.base(ct.id()));
                at = load(field, ct);
            }
        }
    }

    private Acquisition lockElement(long at, ComputeThread ct) {
        elementAt(at);
        lock.at(cell.lock.pointer());
        return lock.acquire(ct);
    }

    /**
     * Completes what threads that died in the lock of the fetched element have left half done: its successor may lack
     * the position. Returns false if another element may be half written in this one's place. Then this thread's
     * reference has been moved beyond it; nothing is changed, and the next thread learns of the death too.
     *
     * <p>The reference is read last. If it is not beyond the element then, neither was the memory of the element or its
     * successor used again when they were read. If the successor lacks its position, no other thread can reach it.
     *
     * @param field this thread's own reference
     */
    private boolean repairElement(RemoteBytes field, ComputeThread ct) {
        long position = element.position.fetched();
        long next = element.next.fetched();
        long ofNext = position + 1;
        if (next != QueueRegions.NONE) {
            cell.at(regions.cell(next));
            successor.at(cell.element.pointer());
            ofNext = successor.position.load(ct);
        }
        reference.at(field.pointer());
        if (reference.position.load(ct) > position) {
            return false;
        }
        if (ofNext != position + 1) {
            LockQueues.store(successor.position, position + 1, ct);
        }
        lock.makeConsistent();
        return true;
    }

    private void elementAt(long at) {
        cell.at(regions.cell(at));
        element.at(cell.element.pointer());
    }

    // ---------------------------------------------------------------------------------------------- references

    private RemoteBytes headOf(int thread) {
        region.at(regions.base(thread));
        return region.head;
    }

    private RemoteBytes tailOf(int thread) {
        region.at(regions.base(thread));
        return region.tail;
    }

    private void lockAt(RemoteBytes field) {
        reference.at(field.pointer());
        lock.at(reference.lock.pointer());
    }

    private long load(RemoteBytes field, ComputeThread ct) {
        lockAt(field);
        Acquisition acquisition = lock.acquire(ct);
        try {
            if (acquisition == Acquisition.HOLDER_DIED) {
                repairReference(ct);
            }
            return reference.element.load(ct);
        } finally {
            lock.release(ct);
        }
    }

    /** Moves a reference, unless it is as far already; returns whether it was moved. */
    private boolean move(RemoteBytes field, long to, long position, ComputeThread ct) {
        lockAt(field);
        Acquisition acquisition = lock.acquire(ct);
        try {
            if (acquisition == Acquisition.HOLDER_DIED) {
                repairReference(ct);
            }
            if (reference.position.load(ct) >= position) {
                return false;
            }
            do {
                reference.element.post(to, ct);
                reference.position.post(position, ct);
            } while (!LockQueues.isPlaced(ct));
            return true;
        } finally {
            lock.release(ct);
        }
    }

    /**
     * Gives a reference the position of the element that it names, after a thread died that may have changed only one
     * of the two. The element's memory is not used again meanwhile, since its owner has to move this reference first.
     */
    private void repairReference(ComputeThread ct) {
        elementAt(reference.element.load(ct));
        long position = element.position.load(ct);
        LockQueues.store(reference.position, position, ct);
        lock.makeConsistent();
    }

    /**
     * A step of both: updates the references of this thread, and then those of the others until one is newer. An
     * experiment overrides it to measure it.
     */
    protected void announce(long to, long position, boolean isHead, boolean isTail, ComputeThread ct) {
        boolean head = isHead && move(headOf(ct.id()), to, position, ct);
        boolean tail = isTail && move(tailOf(ct.id()), to, position, ct);
        for (int i = 0; i < others.length && (head || tail); i++) {
            int thread = drawOther(i, ct);
            tail = tail && move(tailOf(thread), to, position, ct);
            head = head && move(headOf(thread), to, position, ct);
        }
    }

    /** The next one of a random order of the other threads. */
    private int drawOther(int i, ComputeThread ct) {
        int drawn = i + ct.random().nextInt(others.length - i);
        int thread = others[drawn];
        others[drawn] = others[i];
        others[i] = thread;
        return thread;
    }

    /** Moves all references that are behind a DEQUEUED element of this thread to it. */
    private void moveAll(long to, long position, ComputeThread ct) {
        for (int i = 0; i <= others.length; i++) {
            int thread = i < others.length ? others[i] : ct.id();
            move(headOf(thread), to, position, ct);
            move(tailOf(thread), to, position, ct);
        }
    }

    @Override
    public final void destroy(ComputeThread ct) {
        regions.free(ct);
        This.free(ct);
    }
}
