package dev.remus.structures;

import dev.remus.fabric.LocalMemory;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.structures.PhaseTimes.Phase;
import java.nio.ByteBuffer;

/**
 * A queue for any number of producers and consumers in which nobody waits for anybody: the distributed lock-free queue.
 * It is a linked list of cells. A cell lies in the pool of the thread that enqueued its item, on that thread's own node if
 * it can, and is used again and again; a reference to it carries the generation that it had.
 *
 * <pre>
 *  This (one block)                                         changed by
 *  +------------------------------------------------------+
 *  | kind | threads | cells | item bytes                  | nobody
 *  +------------------------------------------------------+
 *  | horizon: cells before this one may be used again     | COMPARE_AND_SWAP, about once in a pool's turn
 *  +------------------------------------------------------+
 *  | pools[threads]: where each thread's cells are        | WRITE, by that thread, once
 *  +------------------------------------------------------+
 *  | tails[threads]: the last cell that each has linked   | WRITE, by that thread
 *  +------------------------------------------------------+
 *  | heads[threads]: no cell before this one is IN_QUEUE  | WRITE, by that thread
 *  +------------------------------------------------------+
 *  | the first cell, DEQUEUED from the start              |
 *  +------------------------------------------------------+
 *
 *  a cell (a multiple of 64 bytes)
 *  +---------------------+---------------------+--------------+
 *  | state: generation,  | next: generation    | item         |
 *  | IN_QUEUE / DEQUEUED | and nil, or the     |              |
 *  |                     | successor           |              |
 *  +---------------------+---------------------+--------------+
 *    COMPARE_AND_SWAP      COMPARE_AND_SWAP      WRITE, before the cell is linked
 * </pre>
 *
 * <p><b>Promises.</b> Linearizable. {@link #tryEnqueue} and {@link #tryDequeue} are lock-free: that one starts over means
 * that another has got ahead. FULL means that at some moment of the call at least {@code capacity} items of <em>this
 * thread</em> were in the queue; EMPTY, that at some moment of it there were none at all.
 *
 * <p><b>Linearization points.</b> Enqueue: the COMPARE_AND_SWAP of the last cell's link from nil to the new cell. Dequeue:
 * the COMPARE_AND_SWAP of the first cell's state from IN_QUEUE to DEQUEUED. EMPTY: the READ of a nil link in a DEQUEUED
 * cell. FULL: the READ of the state of this thread's oldest cell that is still IN_QUEUE.
 *
 * <p><b>Why it is right.</b> Cells are dequeued in the order of the list, since a dequeue comes to a cell only over
 * DEQUEUED ones; so the DEQUEUED cells are those in front. What was wrong or missing in the queue as it was published (see
 * {@code PublishedLockFreeQueue}), by its number in that class:
 *
 * <ol>
 *   <li value="1"><i>Cells used again under a reader.</i> A thread takes a cell out of its pool for a new item only when the
 *       horizon has moved past it, and begins by raising the generation in its state. Who READs a cell READs its state once
 *       more behind it, in the same chain: if the generation is still that of the reference, all of it belonged to that
 *       life, since it began before the reference was made, and had not ended after the READ. Enqueuers need not even
 *       know: whatever link they follow leads further towards the end, and only the last cell's link is nil in the
 *       generation of a reference to it.
 *   <li><i>Synchronised clocks.</i> There are none. Generations are logical stamps, one above the highest that a thread has
 *       seen, so that of two hints the later one is mostly known; nothing goes wrong if it is not.
 *   <li><i>Endless loops.</i> Who comes to a cell that has been used again tries the latest hint once, and then starts at
 *       the horizon, whose cell is always in the list.
 *   <li><i>FULL because of a thread that stands still.</i> Nobody announces what he reads, so nobody waits for announcements:
 *       the horizon moves over all that has been dequeued, whoever may still be looking at it.
 *   <li value="5"><i>A late COMPARE_AND_SWAP</i> of a state or of a link finds another generation there and fails. Generations have
 *       at least 32 bits: one that was missed could come again after as many enqueues as they count ({@link
 *       #generationBits}), to a thread that has stood still all that time in front of that very instruction.
 *   <li value="7"><i>Torn elements.</i> Words are judged one by one and in an order that READs of one lane keep: the state again after
 *       the rest, and for EMPTY the link after a state that was DEQUEUED. An item does not change while its cell's
 *       generation lasts, which the COMPARE_AND_SWAP that takes it has proved.
 *   <li><i>Stores to words that others COMPARE_AND_SWAP.</i> A word is either only READ and WRITTEN or, once others can see
 *       it, only changed by COMPARE_AND_SWAP; and a cell is placed before it is linked.
 *   <li><i>A broadcast to everybody with each operation.</i> Each thread WRITEs, without waiting for it, one word of its own.
 *       Who finds that others have been here gets all of these words with one READ.
 * </ol>
 *
 * <p>The horizon only moves forward. Its owner-to-be READs it, then finds the first cell that is not DEQUEUED (or the last
 * cell), which therefore is not in front of it, and swaps one for the other. As long as the horizon is what was READ,
 * nothing behind it can have been used again, so what it moves to is in the list. Whoever needs cells looks first which of
 * his own are DEQUEUED, and then sees to it that the horizon is behind them.
 *
 * <p><b>Death.</b> A thread that idles, stops or dies at any point blocks nobody, and costs nobody a cell but those in its
 * own pool. An item whose enqueue it had not finished is either in the queue or never will be. Pools lie in Memory Nodes:
 * a lost Memory Node takes its cells along, and every operation that comes to one of them throws.
 *
 * <p>After an exception, whether the operation has taken effect is unknown; the handle can be used on. An enqueue that
 * failed may cost a cell until a later item of the same thread has been dequeued.
 *
 * <p><b>Round trips.</b> Enqueue 2: a cell is made, and linked. Dequeue 2: a cell is read, and taken. EMPTY 1. When others
 * have done the same meanwhile, 1 more to read their hints, and 1 for each cell that was linked or dequeued since the
 * latest hint; a long walk looks at the hints again after 2, 4, 8 cells and so on. Besides, per turn of the thread's pool
 * of K cells, about 4 and K / 16 more; and 1 when a thread's pool is seen for the first time. As published, each operation
 * tells all N threads, at 3 round trips each.
 *
 * <p>A thread's pool is allocated at its first enqueue. A handle belongs to one thread, and a thread enqueues through one
 * handle only. Apart from the item, an operation allocates nothing locally.
 *
 * <p>Source: A. Burachenko, A. Paznikov, D. Derzhavin, doi 10.17223/19988605/62/2, for the idea of pools and a list through
 * them; generations instead of its timestamps as in the counted pointers of M. Michael and M. Scott, PODC 1996; stamps as
 * in L. Lamport, CACM 21(7), 1978.
 *
 * @param <T> items
 */
public final class LockFreeQueue<T> implements RemoteQueue<T>, Phased {
    /** Where a cell's state is, from its start. */
    static final int STATE = 0;

    /** Where its link is. */
    static final int NEXT = Long.BYTES;

    /** Where its item is. */
    static final int ITEM = 2 * Long.BYTES;

    private static final long KIND = 0x6b63_6f6c_6565_7266L; // "freelock"
    private static final int LINE = 64;

    /** What all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteLong kind = longField();
        private final RemoteLong threads = longField();
        private final RemoteLong cells = longField();
        private final RemoteLong itemBytes = longField();
        private final RemoteLong horizon;
        private final RemoteLongArray pools;
        private final RemoteLongArray tails;
        private final RemoteLongArray heads;
        private final RemoteLong firstState;
        private final RemoteLong firstNext;

        private Shared(int threadCount, int bytesOfItem) {
            startLine();
            horizon = longField();
            startLine();
            pools = longArrayField(threadCount);
            startLine();
            tails = longArrayField(threadCount);
            startLine();
            heads = longArrayField(threadCount);
            startLine();
            firstState = longField();
            firstNext = longField();
            bytesField(bytesOfItem);
        }
    }

    private final Shared This;
    private final Codec<T> codec;
    private final CellWords words;
    private final int threads;
    private final int cells;
    private final int cellBytes;
    private final int stride;
    private final int me;

    /** Where each pool's cells are, by its number; null where that is not known yet. */
    private final long[] pools;

    /** Null before the first enqueue; nobody reaches for it before. */
    @SuppressWarnings("NullAway.Init")
    private CellPool pool;

    private final PhaseTimes times = new PhaseTimes();

    /**
     * Scratch memory: a cell that was READ, its state and link READ again, the item to be enqueued, and hints.
     */
    @SuppressWarnings("NullAway.Init") // made when an operation begins, as are its views
    private LocalMemory local;

    @SuppressWarnings("NullAway.Init")
    private ByteBuffer incoming;

    @SuppressWarnings("NullAway.Init")
    private ByteBuffer outgoing;

    private final int again;
    private final int item;
    private final int hints;

    /** False while an operation runs, and so after one that ended with an exception. */
    private boolean settled;

    /** The highest generation seen, as a word. */
    private long stamp;

    /** The last cell of the list, as far as this thread knows. */
    private long tail;

    /** A cell with none IN_QUEUE before it: the first one in the queue, or a DEQUEUED one. */
    private long head;

    /** Whether others enqueued since this thread last did, then when it did so. */
    private boolean isTailCrowded = true;

    private boolean isHeadCrowded = true;

    /** How many cells this operation has gone on from. */
    private int hops;

    /** Whether this operation has come to a cell that has been used again. */
    private boolean isAstray;

    // ------------------------------------------------------------------------------------------------ creating

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity for how many items of each thread there is room: at least 1. A thread that enqueues gets a pool of
     *     one cell more
     * @param codec of the items
     * @throws IllegalArgumentException if generations would have less than 32 bits
     */
    public static RdmaPtr<Shared> create(int capacity, Codec<?> codec, ComputeThread ct) {
        return create(capacity, codec, 1, ct);
    }

    /**
     * Makes an empty queue that begins with a given generation, to try what happens when generations wrap around without
     * waiting for the billions of enqueues that it takes until they do.
     *
     * @param generation of which the lowest {@link #generationBits(int, int)} bits count
     */
    public static RdmaPtr<Shared> create(int capacity, Codec<?> codec, long generation, ComputeThread ct) {
        if (capacity < 1 || capacity == Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a queue with room for " + capacity + " items of each thread: needs 1 to 2^31 - 2");
        }
        int threads = ct.threads();
        CellWords words = new CellWords(threads + 1, capacity + 1);
        Shared shared = new Shared(threads, codec.bytes());
        shared.allocate(ct);
        long first = words.reference(generation, threads + 1, 0);
        for (int i = 0; i < threads; i++) {
            shared.pools.post(i, RdmaPtr.NULL, ct);
            shared.tails.post(i, first, ct);
            shared.heads.post(i, first, ct);
        }
        shared.kind.post(KIND, ct);
        shared.threads.post(threads, ct);
        shared.cells.post(capacity + 1L, ct);
        shared.itemBytes.post(codec.bytes(), ct);
        shared.horizon.post(first, ct);
        shared.firstState.post(words.dequeued(first), ct);
        shared.firstNext.post(words.nil(first), ct);
        ct.place();
        return new RdmaPtr<>(shared.pointer());
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same items as it was created with
     * @throws IllegalArgumentException if there is no such queue, or one for other items or another number of threads
     */
    public LockFreeQueue(RdmaPtr<Shared> This, Codec<T> codec, ComputeThread ct) {
        this.threads = ct.threads();
        this.me = ct.id();
        this.codec = codec;
        this.This = new Shared(threads, codec.bytes());
        this.This.at(This);
        if (this.This.kind.load(ct) != KIND) {
            throw new IllegalArgumentException("there is no LockFreeQueue at (" + RdmaPtr.toString(This.raw()) + ")");
        }
        check("threads", this.This.threads.load(ct), threads);
        check("bytes of an item", this.This.itemBytes.load(ct), codec.bytes());
        this.cells = (int) this.This.cells.load(ct);
        this.words = new CellWords(threads + 1, cells);
        int itemBytes = (codec.bytes() + Long.BYTES - 1) & -Long.BYTES;
        this.cellBytes = ITEM + itemBytes;
        this.stride = (cellBytes + LINE - 1) & -LINE;
        this.again = cellBytes;
        this.item = again + ITEM;
        this.hints = item + itemBytes;
        this.pools = new long[threads + 2];
        this.pools[threads + 1] = this.This.firstState.pointer();
        this.head = this.This.horizon.load(ct);
        this.tail = head;
        this.stamp = words.nil(head);
    }

    private void check(String what, long there, int here) {
        if (there != here) {
            throw new IllegalArgumentException("the queue at (" + RdmaPtr.toString(This.pointer()) + ") was made with "
                    + there + " as the number of " + what + ", not " + here);
        }
    }

    /** Finding the end includes linking there, since that is how the end is recognised. */
    @Override
    public PhaseTimes times() {
        return times;
    }

    /** How many bits a generation has; after as many enqueues as they count, generations come again. */
    public int generationBits() {
        return generationBits(words);
    }

    /** The same for a queue that a cluster of so many threads would make with room for so many items of each. */
    public static int generationBits(int capacity, int threads) {
        return generationBits(new CellWords(threads + 1, capacity + 1));
    }

    private static int generationBits(CellWords words) {
        return Long.SIZE - Long.numberOfTrailingZeros(words.reference(1, 0, 0));
    }

    /** After a failure, what is outstanding may still use the old memory: leaves that to it. */
    private void begin(ComputeThread ct) {
        if (!settled) {
            local = ct.allocateLocal(hints + (long) threads * Long.BYTES);
            incoming = local.view(ITEM, codec.bytes());
            outgoing = local.view(item, again - ITEM);
            if (pool != null) {
                pool.renewLocal(ct);
            }
        }
        settled = false;
        hops = 0;
        isAstray = false;
    }

    // ------------------------------------------------------------------------------------------------ enqueueing

    /**
     * Puts an item at the end.
     *
     * @return false if {@code capacity} items of this thread were in the queue
     * @throws dev.remus.memory.OutOfRemoteMemoryException at this thread's first enqueue, if there is no room for its pool
     */
    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        begin(ct);
        if (pool == null) {
            openPool(ct);
        }
        boolean hasRoom = pool.hasFree() || reclaim(ct);
        if (hasRoom) {
            link(newCell(item, ct), ct);
        }
        settled = true;
        return hasRoom;
    }

    private void openPool(ComputeThread ct) {
        int number = me + 1;
        long base = This.pools.load(me, ct);
        boolean isNew = base == RdmaPtr.NULL;
        if (isNew) {
            base = ct.allocateNear(poolBytes());
            fillWithZeros(base, ct);
            This.pools.store(me, base, ct);
        }
        CellPool opened = new CellPool(words, number, cells, stride, base, ct);
        if (!isNew) {
            see(opened.resume(ct));
        }
        pools[number] = base;
        pool = opened; // not before all of it is known: what failed is tried again
    }

    private long poolBytes() {
        return (long) cells * stride;
    }

    private void fillWithZeros(long base, ComputeThread ct) {
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(poolBytes(), 1 << 16));
        for (long done = 0; done < poolBytes(); done += zeros.capacity()) {
            ct.write(base + done, zeros.clear().limit((int) Math.min(zeros.capacity(), poolBytes() - done)));
        }
    }

    /** A cell with an item, and nothing that refers to it. */
    private long newCell(T value, ComputeThread ct) {
        outgoing.clear();
        codec.encode(value, outgoing);
        if (outgoing.position() != codec.bytes()) {
            throw new IllegalStateException(
                    "the codec says " + codec.bytes() + " bytes, and has encoded " + outgoing.position());
        }
        long mine = pool.reference(stamp);
        see(mine); // now: if this fails, nobody may get the same generation
        pool.begin(mine, local, item, outgoing.capacity(), ct);
        return mine;
    }

    /** Links a cell behind the last one. */
    private void link(long mine, ComputeThread ct) {
        long start = times.start(ct);
        boolean others = isTailCrowded && catchUpTail(ct);
        while (true) {
            long nil = words.nil(tail);
            long next = ct.compareAndSwap(address(tail, ct) + NEXT, nil, mine);
            if (next == nil) {
                break;
            }
            if (words.isNil(next)) { // used again, and perhaps not in the list yet
                if (isAstray || !catchUpTail(ct)) {
                    tail = This.horizon.load(ct);
                }
                isAstray = true;
                ct.pause();
            } else { // of this life of the cell or a later one: nearer to the end in any case
                tail = next;
                if (isTimeToLook()) {
                    catchUpTail(ct);
                }
            }
        }
        isTailCrowded = others || hops > 0;
        see(tail);
        tail = mine;
        times.stop(Phase.ENQ_HOP, start, ct);
        tell(This.tails, mine, ct);
    }

    /** Makes this thread's hint known to the others. */
    private void tell(RemoteLongArray hintsOfAll, long hint, ComputeThread ct) {
        long start = times.start(ct);
        hintsOfAll.post(me, hint, ct);
        times.stop(Phase.BCAST_ALL, start, ct);
    }

    private boolean catchUpTail(ComputeThread ct) {
        long latest = latest(This.tails, tail, ct);
        boolean isLater = latest != tail;
        tail = latest;
        return isLater;
    }

    // ------------------------------------------------------------------------------------------------ dequeueing

    @Override
    public Dequeued<T> tryDequeue(ComputeThread ct) {
        begin(ct);
        long before = head;
        Dequeued<T> dequeued = Dequeued.empty();
        long start = times.start(ct);
        boolean others = isHeadCrowded && catchUpHead(ct);
        boolean found = findFirst(ct);
        times.stop(Phase.DEQ_HOP, start, ct);
        while (found) {
            long inQueue = words.inQueue(head);
            long state = ct.compareAndSwap(address(head, ct) + STATE, inQueue, words.dequeued(head));
            if (words.isSameGeneration(state, head)) { // so its link, that was READ before, was of this life too
                followLink();
            }
            if (state == inQueue) {
                dequeued = Dequeued.of(codec.decode(incoming.clear()));
                break;
            }
            start = times.start(ct);
            found = findFirst(ct);
            times.stop(Phase.DEQ_HOP, start, ct);
        }
        isHeadCrowded = others || hops > 1; // one is its own
        if (head != before) {
            tell(This.heads, head, ct);
        }
        settled = true;
        return dequeued;
    }

    /**
     * Moves {@code head} to the first cell that is not DEQUEUED, and READs it.
     *
     * @return false if there is none: then {@code head} is the last cell, and was DEQUEUED when its link was still nil
     */
    private boolean findFirst(ComputeThread ct) {
        while (true) {
            long cell = address(head, ct);
            ct.sequence()
                    .read(cell, local, 0, cellBytes)
                    .read(cell, local, again, ITEM)
                    .execute();
            long state = local.getLong(again + STATE);
            if (!words.isSameGeneration(state, head)) { // used again
                if (isAstray || !catchUpHead(ct)) {
                    head = This.horizon.load(ct);
                }
                isAstray = true;
                ct.pause();
            } else if (!words.isDequeued(state)) {
                return true;
            } else if (followLink()) {
                if (isTimeToLook()) {
                    catchUpHead(ct);
                }
            } else if (words.isDequeued(local.getLong(STATE)) && local.getLong(again + NEXT) == words.nil(head)) {
                return false;
            } // or else a successor has just come
        }
    }

    /** Goes on to the successor, if there was one when the cell was READ. */
    private boolean followLink() {
        long next = local.getLong(NEXT);
        if (words.isNil(next)) {
            return false;
        }
        head = next;
        return true;
    }

    private boolean catchUpHead(ComputeThread ct) {
        long latest = latest(This.heads, head, ct);
        boolean isLater = latest != head;
        head = latest;
        return isLater;
    }

    // ------------------------------------------------------------------------------------------------ cells

    /** Finds own cells that nobody can come to any more. */
    private boolean reclaim(ComputeThread ct) {
        long last = pool.lastDequeued(ct);
        if (last < 0) {
            return false;
        }
        long horizon = This.horizon.load(ct);
        while (true) {
            findFirst(ct);
            long found = head == horizon ? horizon : This.horizon.compareAndExchange(horizon, head, ct);
            if (found == horizon) {
                break;
            }
            horizon = found;
            ct.pause();
        }
        pool.release(last, head);
        return pool.hasFree();
    }

    /** Where a cell is. */
    private long address(long reference, ComputeThread ct) {
        int number = words.pool(reference);
        if (pools[number] == RdmaPtr.NULL) {
            pools[number] = This.pools.load(number - 1, ct);
        }
        return pools[number] + (long) words.index(reference) * stride;
    }

    private void see(long reference) {
        if (words.isLater(reference, stamp)) {
            stamp = words.nil(reference);
        }
    }

    /**
     * Counts a hop; says whether so many of them are a reason to look where others are. Not for who has been astray: a hint
     * of a higher generation can be further behind, and lead there again.
     */
    private boolean isTimeToLook() {
        hops++;
        return hops > 1 && (hops & (hops - 1)) == 0 && !isAstray;
    }

    /** The hint of the latest generation, if that is later than what this thread knows. */
    private long latest(RemoteLongArray all, long known, ComputeThread ct) {
        ct.read(all.pointer(0), local, hints, threads * Long.BYTES);
        long latest = known;
        for (int i = 0; i < threads; i++) {
            long hint = local.getLong(hints + (long) i * Long.BYTES);
            if (words.isLater(hint, latest)) {
                latest = hint;
            }
        }
        return latest;
    }

    // ------------------------------------------------------------------------------------------------ the end

    @Override
    public void destroy(ComputeThread ct) {
        for (int i = 0; i < threads; i++) {
            long base = This.pools.load(i, ct);
            if (base != RdmaPtr.NULL) {
                ct.free(base, poolBytes());
            }
        }
        This.kind.store(0, ct);
        This.free(ct);
    }

    /** Where it is. */
    @Override
    public String toString() {
        return "LockFreeQueue at (" + RdmaPtr.toString(This.pointer()) + ")";
    }
}
