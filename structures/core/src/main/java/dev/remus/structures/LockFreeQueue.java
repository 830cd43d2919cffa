// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;

/**
 * A lock-free queue for any number of producers and consumers: a linked list of cells, which lie in pools near the
 * threads that enqueued their items. Cells are reused; a reference to one carries the generation that it had.
 *
 * <pre>
 *   horizon        head                            tail: both as one thread sees them, perhaps out of date
 *      |             |                               |
 *      v             v                               v
 *   DEQUEUED --> DEQUEUED --> IN_QUEUE --> ... --> IN_QUEUE --> nil
 *                               |                              |
 *              dequeue swaps the state for DEQUEUED      enqueue swaps nil for its new cell
 * </pre>
 *
 * <p>{@link CellList} shows what the handles share, {@link QueueCell} a cell, {@link CellCopy} one that was READ,
 * {@link CellPool} how a thread uses its cells in turn, and {@link QueueEnd} how a thread finds the ends of the list.
 *
 * <p><b>Promises.</b> Linearizable. {@link #tryEnqueue} and {@link #tryDequeue} are lock-free: if one starts over,
 * another has made progress. FULL means that at some moment of the call at least {@code capacity} items of <em>this
 * thread</em> were in the queue; EMPTY, that at some moment of it there were none at all.
 *
 * <p><b>Linearization points.</b> Enqueue: the COMPARE_AND_SWAP of the last cell's link from nil to the new cell.
 * Dequeue: the COMPARE_AND_SWAP of the first cell's state from IN_QUEUE to DEQUEUED. EMPTY: the READ of a nil link in a
 * DEQUEUED cell. FULL: the READ of the state of this thread's oldest cell that is still IN_QUEUE.
 *
 * <p><b>Why it is right.</b> A dequeue reaches a cell only over DEQUEUED ones, so cells are dequeued in the order of
 * the list. The design note {@code structures/core/design/LockFreeQueue.md} has the rest of the argument, and what was
 * wrong in the queue as it was published.
 *
 * <p><b>Death.</b> A thread that idles, stops or dies at any point blocks no other, and costs the others no cell. An
 * item whose enqueue it had not finished is either in the queue or never will be. The pool of a thread that has died
 * stays allocated until the queue is destroyed. Pools lie in Memory Nodes: a lost Memory Node takes its cells along,
 * and every operation that reaches one of them throws.
 *
 * <p>After an exception, it is unknown whether the operation has taken effect; the handle can still be used. An enqueue
 * that failed may cost a cell until a later item of the same thread has been dequeued.
 *
 * <p><b>Round trips.</b> Enqueue 2: a cell is made, and linked. Dequeue 2: a cell is read, and taken. EMPTY 1. If other
 * threads have used the same end meanwhile, 1 more to read their hints, and 1 for each cell that was linked or dequeued
 * since the latest hint; a long walk reads the hints again after 2, 4, 8 cells and so on. In each turn of the thread's
 * pool of K cells, about 4 and K / 16 more; and 1 when a thread's pool is seen for the first time.
 *
 * <p>A thread's pool is allocated at its first enqueue, and is the queue's until it is destroyed, so no operation
 * retires a block. A handle belongs to one thread, and a thread enqueues through one handle only. Apart from the item,
 * an operation allocates nothing locally.
 *
 * <p>Source: A. Burachenko, A. Paznikov, D. Derzhavin, doi 10.17223/19988605/62/2, for the idea of pools and a list
 * through them; generations instead of its timestamps as in the counted pointers of M. Michael and M. Scott, PODC 1996;
 * stamps as in L. Lamport, CACM 21(7), 1978.
 *
 * @param <T> items
 */
public class LockFreeQueue<T> implements RemoteQueue<T> {
    private final CellList This;
    private final CellWords words;
    private final CellDirectory directory;
    private final CellPool<T> pool;
    private final QueueEnd tail;
    private final QueueEnd head;

    /** The cell that is linked to. */
    private final CellHeader last;

    /** The cell that the head refers to. */
    private final CellHeader first;

    /** That cell as it was READ. */
    private final CellCopy<T> copy;

    /** False while an operation runs, and so after one that ended with an exception. */
    private boolean isSettled = true;

    // ------------------------------------------------------------------------------------------------ enqueue

    /**
     * Puts an item at the end.
     *
     * @return false if {@code capacity} items of this thread were in the queue
     * @throws dev.remus.memory.OutOfRemoteMemoryException at this thread's first enqueue, if there is no room for its
     *     pool
     */
    @Override
    public final boolean tryEnqueue(T item, ComputeThread ct) {
        begin(tail, ct);
        pool.open(tail.at(), ct);
        boolean hasRoom = pool.hasFree() || reclaim(ct);
        if (hasRoom) {
            append(pool.newCell(item, ct), ct);
            publishTail(ct);
        }
        isSettled = true;
        return hasRoom;
    }

    /**
     * A step of an enqueue: finds the last cell and links a cell behind it. An experiment overrides it to measure it.
     */
    protected void append(long cell, ComputeThread ct) {
        tail.freshen(ct);
        while (true) {
            last.at(directory.pointer(tail.at(), ct));
            long nil = words.nil(tail.at());
            long next = last.next.compareAndExchange(nil, cell, ct);
            if (next == nil) {
                break;
            }
            if (words.isNil(next)) { // reused, and perhaps not in the list yet
                tail.restart(This.horizon, ct);
            } else { // of this life of the cell or a later one: nearer to the end in any case
                tail.hop(next, ct);
            }
        }
        pool.see(tail.at());
        tail.moveTo(cell);
        tail.end(0);
    }

    // ------------------------------------------------------------------------------------------------ dequeue

    @Override
    public final Dequeued<T> tryDequeue(ComputeThread ct) {
        begin(head, ct);
        long before = head.at();
        Dequeued<T> dequeued = Dequeued.empty();
        while (!dequeued.isItem() && findFirst(ct)) {
            long at = head.at();
            long inQueue = words.inQueue(at);
            long state = first.state.compareAndExchange(inQueue, words.dequeued(at), ct);
            if (state == inQueue) {
                dequeued = Dequeued.of(copy.item());
            }
            if (words.isSameGeneration(state, at) && hasNext()) { // the link was of this life too
                head.moveTo(copy.next());
            }
        }
        head.end(1);
        if (head.at() != before) {
            publishHead(ct);
        }
        isSettled = true;
        return dequeued;
    }

    /**
     * A step of a dequeue: finds the first cell that is IN_QUEUE, and READs it. An experiment overrides it to measure
     * it.
     *
     * @return false if there was none
     */
    protected boolean findFirst(ComputeThread ct) {
        head.freshen(ct);
        return walk(ct);
    }

    /**
     * Moves the head to the first cell that is not DEQUEUED.
     *
     * @return false if there is none: then the head is the last cell, and was DEQUEUED when its link was still nil
     */
    private boolean walk(ComputeThread ct) {
        while (true) {
            long at = head.at();
            readFirst(at, ct);
            long state = copy.stateAgain();
            if (!words.isSameGeneration(state, at)) { // reused
                head.restart(This.horizon, ct);
            } else if (!words.isDequeued(state)) {
                return true;
            } else if (hasNext()) {
                head.hop(copy.next(), ct);
            } else if (copy.next() != words.nil(at)) { // a new life begins: its link may come before its state
                head.restart(This.horizon, ct);
            } else if (words.isDequeued(copy.state()) && copy.nextAgain() == words.nil(at)) {
                return false;
            } // or else a successor has just come
        }
    }

    /**
     * READs the cell, and then its two words again: if it is still IN_QUEUE in that generation, all was of one life.
     */
    private void readFirst(long at, ComputeThread ct) {
        long cell = directory.pointer(at, ct);
        first.at(cell);
        copy.read(cell, ct);
    }

    /** Whether the cell had a successor when it was READ. */
    private boolean hasNext() {
        return !words.isNil(copy.next());
    }

    // ------------------------------------------------------------------------------------------------ hints

    /** A step of an enqueue: publishes where the tail is. An experiment overrides it to measure it. */
    protected void publishTail(ComputeThread ct) {
        tail.publish(ct);
    }

    /** A step of a dequeue: publishes where the head is. An experiment overrides it to measure it. */
    protected void publishHead(ComputeThread ct) {
        head.publish(ct);
    }

    // ------------------------------------------------------------------------------------------------ reuse of cells

    /** Moves the horizon past own cells that are DEQUEUED, so that no thread can reach them any more. */
    private boolean reclaim(ComputeThread ct) {
        long lastDequeued = pool.lastDequeued(ct);
        if (lastDequeued < 0) {
            return false;
        }
        head.begin();
        long horizon = This.horizon.load(ct);
        while (true) {
            walk(ct);
            long found = head.at() == horizon ? horizon : This.horizon.compareAndExchange(horizon, head.at(), ct);
            if (found == horizon) {
                break;
            }
            horizon = found;
            ct.pause();
        }
        pool.release(lastDequeued, head.at());
        return pool.hasFree();
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    private void begin(QueueEnd end, ComputeThread ct) {
        if (!isSettled) {
            copy.renewLocal(ct);
            tail.renewLocal(ct);
            head.renewLocal(ct);
            pool.renewLocal(ct);
        }
        isSettled = false;
        end.begin();
    }

    // ------------------------------------------------------------------------------------------------ making and
    // ending

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity how many items of each thread have room: at least 1. A thread that enqueues gets a pool of one
     *     cell more
     * @param codec of the items
     * @throws IllegalArgumentException if generations would have less than 32 bits
     */
    public static RdmaPtr<CellList> create(int capacity, Codec<?> codec, ComputeThread ct) {
        return create(capacity, codec, 1, ct);
    }

    /**
     * Makes an empty queue that begins with a given generation, to test what happens when generations wrap around
     * without the billions of enqueues that it takes until they do.
     *
     * @param generation of which the lowest {@link #generationBits(int, int)} bits count
     */
    public static RdmaPtr<CellList> create(int capacity, Codec<?> codec, long generation, ComputeThread ct) {
        if (capacity < 1 || capacity == Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a queue with room for " + capacity + " items of each thread: needs 1 to 2^31 - 2");
        }
        return CellList.create(capacity + 1, codec, generation, ct);
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same items as it was created with
     * @throws IllegalArgumentException if there is no such queue, or one for other items or another number of threads
     */
    public LockFreeQueue(RdmaPtr<CellList> This, Codec<T> codec, ComputeThread ct) {
        this.This = CellList.open(This, codec, ct);
        int cells = this.This.cells(ct);
        this.words = new CellWords(ct.threads() + 1, cells);
        this.directory = new CellDirectory(this.This, words, cells, codec);
        this.This.drawWith(directory.drawing());
        this.last = new CellHeader(directory.drawing());
        this.first = new CellHeader(directory.drawing());
        this.pool = new CellPool<>(this.This, words, directory, cells, codec, ct);
        long horizon = this.This.horizon.load(ct);
        this.tail = new QueueEnd(words, this.This.tails, horizon, ct);
        this.head = new QueueEnd(words, this.This.heads, horizon, ct);
        this.copy = new CellCopy<>(codec, ct);
    }

    /** How many bits a generation has; after as many enqueues as they count, generations come again. */
    public final int generationBits() {
        return words.generationBits();
    }

    /** The same for a queue that a cluster of so many threads would make with room for so many items of each. */
    public static int generationBits(int capacity, int threads) {
        return new CellWords(threads + 1, capacity + 1).generationBits();
    }

    @Override
    public final void destroy(ComputeThread ct) {
        This.destroy(directory.poolBytes(), ct);
    }

    /** Where it is. */
    @Override
    public final String toString() {
        return "LockFreeQueue at (" + RdmaPtr.toString(This.pointer()) + ")";
    }
}
