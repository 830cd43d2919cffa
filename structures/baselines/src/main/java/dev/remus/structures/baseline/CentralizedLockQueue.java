package dev.remus.structures.baseline;

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
 * state of the thread's oldest element is read. A dequeue: when the element's state becomes DEQUEUED. EMPTY: when the
 * head is read.
 *
 * <p><b>Death.</b> A thread that is lost outside its critical sections harms no other, and its items can be dequeued.
 * One that is lost inside leaves a lock behind that it held. A thread that needs it gets a {@link
 * dev.remus.lock.LostHolderException} that names it; as most locks are those of head and tail, that soon is every
 * thread. A thread that stops in a node that lives is waited for.
 *
 * <p><b>Broken lanes.</b> An operation whose lane breaks goes on: it repeats its WRITEs, before it releases the lock by
 * which no other thread accesses these words. So it has a definite outcome, and its locks come free. Only if a lane
 * cannot be connected again, or breaks many times in a row, does it throw a {@link dev.remus.fabric.FabricException}:
 * part of a change may then be missing, and the queue is to be given up.
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

        Region(int threads, int capacity, Codec<?> codec) {
            lock = bytesField(RemoteLock.bytes(threads));
            elements = arrayField(capacity, new QueueElement<>(codec).bytes());
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
        this.region = new Region(threads, capacity, codec);
        this.element = new QueueElement<>(codec);
        this.regions = new QueueRegions(new Region(threads, capacity, codec), threads);
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

    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        long fresh = QueueRegions.reference(ct.id(), enqueued);
        lockAt(ct.id()).acquireConsistent(ct);
        try {
            element.at(regions.cell(fresh));
            if (element.state.load(ct) == QueueElement.IN_QUEUE) {
                return false; // enqueued a whole round ago, so all that came after it are in the queue too
            }
            element.begin(fresh, item, ct);
            enqueued++;
            do {
                region.enqueued.post(enqueued, ct);
            } while (!LockQueues.isPlaced(ct));
        } finally {
            memory.release(ct);
        }
        link(fresh, ct);
        return true;
    }

    private void link(long fresh, ComputeThread ct) {
        ends.acquireConsistent(ct);
        try {
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
        } finally {
            ends.release(ct);
        }
    }

    private void setNext(long last, long fresh, ComputeThread ct) {
        lockAt(QueueRegions.thread(last)).acquireConsistent(ct);
        try {
            element.at(regions.cell(last));
            do {
                element.next.post(fresh, ct);
            } while (!LockQueues.isPlaced(ct));
        } finally {
            memory.release(ct);
        }
    }

    @Override
    public Dequeued<T> tryDequeue(ComputeThread ct) {
        ends.acquireConsistent(ct);
        try {
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
        lockAt(QueueRegions.thread(first)).acquireConsistent(ct);
        try {
            element.at(regions.cell(first));
            element.fetch(ct);
            do {
                element.state.post(QueueElement.DEQUEUED, ct);
            } while (!LockQueues.isPlaced(ct));
        } finally {
            memory.release(ct);
        }
    }

    @Override
    public void destroy(ComputeThread ct) {
        regions.free(ct);
        This.free(ct);
    }
}
