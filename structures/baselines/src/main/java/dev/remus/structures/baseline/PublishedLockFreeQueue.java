package dev.remus.structures.baseline;

import dev.remus.fabric.LocalMemory;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Codec;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.structures.Dequeued;
import dev.remus.structures.LockFreeQueue;
import dev.remus.structures.PhaseTimes;
import dev.remus.structures.PhaseTimes.Phase;
import dev.remus.structures.Phased;
import dev.remus.structures.RemoteQueue;
import java.nio.ByteBuffer;

/**
 * The distributed lock-free queue as it was published, with its mistakes: to be measured and to be broken, <b>not to be
 * used</b>. {@link LockFreeQueue} is the one for that.
 *
 * <pre>
 *  This
 *  +------------------------------------------------------------------------+
 *  | s: the first element | item bytes | elements | windows[N]: where each  |
 *  |    that was inserted |            |          |    thread's window is   |
 *  +------------------------------------------------------------------------+
 *
 *  a thread's window
 *  +-------------+-------------+-----------------------+---------------------+
 *  | h: where it | t: where it | o: timestamp of the   | e[K]: its elements  |
 *  | believes    | believes    | element that it has   |                     |
 *  | the head is | the tail is | read last             |                     |
 *  +-------------+-------------+-----------------------+---------------------+
 *
 *  an element
 *  +--------------+---------------+-------------+--------------+-------------+
 *  | τ: timestamp | c: FREE, IN   | n: the next | l: reference | v: the item |
 *  |              | or OUT        | element     | to itself    |             |
 *  +--------------+---------------+-------------+--------------+-------------+
 * </pre>
 *
 * <p>The published c is F, A or D. A reference is a remote pointer. The published o is a copy of the element; others only
 * look at its timestamp. There it is a store to local memory; here it is posted, and nobody waits for it.
 *
 * <p><b>What is wrong or missing</b>, in the numbers that {@link LockFreeQueue} refers to:
 *
 * <ol>
 *   <li>Items get lost, come twice and in another order: reading a reference, reading the element and announcing it in o are
 *       three steps, and between them the element can be dequeued, freed and used again.
 *   <li>Timestamps come from clocks that must be synchronised: with skew, an element that is still on somebody's way is
 *       freed, and threads hang.
 *   <li>Endless loops: when h names a FREE element, nothing ever changes h.
 *   <li>Not lock-free: a thread that stands still keeps its h, t and o, and soon all others are told FULL.
 *   <li>State and identity are separate words: the swap of IN for OUT cannot tell an element from its next life.
 *   <li>Nor can the swap of n: it can append behind an element that is not in the queue.
 *   <li>An element of several words is torn by a remote READ: a dequeue can see no successor of an element that was OUT
 *       only later, and say EMPTY.
 *   <li>Plain stores to h and t, which others change by COMPARE_AND_SWAP; and s, which is never set again.
 *   <li>Each operation tells all threads: 3 round trips for each.
 *   <li>Slips of the text; this follows what it means.
 * </ol>
 *
 * <p><b>Promises.</b> Linearizable and lock-free while no element is used again: that is, until a thread has enqueued as
 * many items as its window has elements. <b>Death</b> of a thread leads to FULL for all. <b>Round trips</b>: enqueue about
 * 6 + 3N, dequeue about 5 + 3N with N threads, if the hints are right.
 *
 * <p>A handle belongs to one thread, and each thread has one.
 *
 * <p>Source: A. Burachenko, A. Paznikov, D. Derzhavin, doi 10.17223/19988605/62/2, tables 1 to 10.
 *
 * @param <T> items
 */
public final class PublishedLockFreeQueue<T> implements RemoteQueue<T>, Phased {
    private static final long EMPTY = RdmaPtr.NULL;

    // States of an element.
    private static final long FREE = 0;
    private static final long IN = 1;
    private static final long OUT = 2;

    // Where things are in an element.
    private static final int TAU = 0;
    private static final int C = 8;
    private static final int N = 16;
    private static final int L = 24;
    private static final int V = 32;

    /** Timestamp and state, which the cleaner READs. */
    private static final int PAIR = 16;

    // Where things are in a window.
    private static final int H = 0;
    private static final int T = 8;
    private static final int O = 16;
    private static final int E = 64;

    private static final int LINE = 64;
    private static final long NOBODY = Long.MAX_VALUE;

    /** What all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteLong s = longField();
        private final RemoteLong itemBytes = longField();
        private final RemoteLong elements = longField();
        private final RemoteLongArray windows;

        private Shared(int threads) {
            windows = longArrayField(threads);
        }
    }

    private final Shared This;
    private final Codec<T> codec;
    private final int elements;
    private final int elementBytes;
    private final int stride;
    private final long[] windows;
    private final long own;

    /** Own elements that are FREE. */
    private final long[] free;

    private int freeCount;

    /** The other threads, in the order in which they are told. */
    private final int[] others;

    /** The element that was READ last, then the one that is enqueued, then timestamps and states. */
    private final LocalMemory local;

    private final ByteBuffer incoming;
    private final ByteBuffer outgoing;
    private final int scan;
    private final PhaseTimes times = new PhaseTimes();

    /**
     * Makes an empty queue in remote memory.
     *
     * @param capacity how many elements each thread has, at least 1
     * @param codec of the items
     */
    public static RdmaPtr<Shared> create(int capacity, Codec<?> codec, ComputeThread ct) {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "a queue with " + capacity + " elements for each thread: needs at least 1");
        }
        int threads = ct.threads();
        Shared shared = new Shared(threads);
        shared.allocate(ct);
        shared.s.store(EMPTY, ct);
        shared.itemBytes.store(codec.bytes(), ct);
        shared.elements.store(capacity, ct);
        for (int i = 0; i < threads; i++) {
            long bytes = windowBytes(capacity, codec.bytes());
            long window = ct.allocateNear(i, bytes);
            ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(bytes, 1 << 16)); // FREE, EMPTY
            for (long done = 0; done < bytes; done += zeros.capacity()) {
                ct.write(window + done, zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - done)));
            }
            ct.write(window + O, NOBODY);
            shared.windows.store(i, window, ct);
        }
        return new RdmaPtr<>(shared.pointer());
    }

    private static int elementBytes(int itemBytes) {
        return V + ((itemBytes + Long.BYTES - 1) & -Long.BYTES);
    }

    private static int stride(int itemBytes) {
        return (elementBytes(itemBytes) + LINE - 1) & -LINE;
    }

    private static long windowBytes(int elements, int itemBytes) {
        return E + (long) elements * stride(itemBytes);
    }

    /**
     * Makes a thread's handle to a queue.
     *
     * @param This what {@link #create} returned
     * @param codec of the same items as it was created with
     */
    public PublishedLockFreeQueue(RdmaPtr<Shared> This, Codec<T> codec, ComputeThread ct) {
        this.This = new Shared(ct.threads());
        this.This.at(This);
        this.codec = codec;
        long itemBytes = this.This.itemBytes.load(ct);
        if (itemBytes != codec.bytes()) {
            throw new IllegalArgumentException("a codec for items of " + codec.bytes() + " bytes, but the queue at ("
                    + RdmaPtr.toString(This.raw()) + ") was made for items of " + itemBytes);
        }
        this.elements = (int) this.This.elements.load(ct);
        this.elementBytes = elementBytes(codec.bytes());
        this.stride = stride(codec.bytes());
        this.windows = new long[ct.threads()];
        this.others = new int[ct.threads() - 1];
        for (int i = 0; i < windows.length; i++) {
            windows[i] = this.This.windows.load(i, ct);
            if (i != ct.id()) {
                others[i < ct.id() ? i : i - 1] = i;
            }
        }
        this.own = windows[ct.id()];
        this.free = new long[elements];
        for (int j = elements - 1; j >= 0; j--) {
            free[freeCount++] = own + E + (long) j * stride;
        }
        this.scan = 2 * elementBytes;
        this.local = ct.allocateLocal(scan + (long) PAIR * Sequence.capacity());
        this.incoming = local.view(V, codec.bytes());
        this.outgoing = local.view(elementBytes + V, elementBytes - V);
    }

    @Override
    public PhaseTimes times() {
        return times;
    }

    // ------------------------------------------------------------------------------------------------ last element

    /** o = atomic_get(reference) */
    private void get(long reference, ComputeThread ct) {
        ct.read(reference, local, 0, elementBytes);
        ct.post(own + O, tau());
    }

    private long tau() {
        return local.getLong(TAU);
    }

    private long c() {
        return local.getLong(C);
    }

    private long n() {
        return local.getLong(N);
    }

    private long l() {
        return local.getLong(L);
    }

    // ------------------------------------------------------------------------------------------------ enqueue, table 2

    @Override
    public boolean tryEnqueue(T item, ComputeThread ct) {
        long mine = newElement(item, ct);
        if (mine == EMPTY) {
            return false;
        }
        long start = times.start(ct);
        while (true) { // line 4
            long t = ct.read(own + T);
            if (t == EMPTY) {
                t = This.s.load(ct);
                if (t == EMPTY) {
                    long tau = stamp(mine, ct);
                    t = This.s.compareAndExchange(EMPTY, mine, ct);
                    if (t == EMPTY) {
                        times.stop(Phase.ENQ_HOP, start, ct);
                        broadcast(mine, tau, true, true, ct);
                        return true;
                    }
                }
                ct.write(own + T, t);
            }
            get(t, ct);
            while (c() == IN || c() == OUT && n() != EMPTY) { // lines 17 and 36
                if (n() != EMPTY) {
                    get(n(), ct);
                } else {
                    long last = l();
                    long tau = stamp(mine, ct);
                    if (ct.compareAndSwap(last + N, EMPTY, mine) == EMPTY) {
                        times.stop(Phase.ENQ_HOP, start, ct);
                        broadcast(mine, tau, true, false, ct);
                        return true;
                    }
                    get(last, ct);
                }
            }
            if (c() == OUT) { // line 30: the queue is empty
                long tau = stamp(mine, ct);
                if (ct.compareAndSwap(l() + N, EMPTY, mine) == EMPTY) {
                    times.stop(Phase.ENQ_HOP, start, ct);
                    broadcast(mine, tau, true, true, ct);
                    return true;
                }
            }
            ct.pause(); // line 41
        }
    }

    private long stamp(long element, ComputeThread ct) {
        long now = ct.nanoTime();
        ct.write(element + TAU, now);
        return now;
    }

    /** init_elem */
    private long newElement(T item, ComputeThread ct) {
        if (freeCount == 0) {
            clean(ct);
            if (freeCount == 0) {
                return EMPTY;
            }
        }
        long element = free[--freeCount];
        codec.encode(item, outgoing.clear());
        local.putLong(elementBytes + TAU, 0);
        local.putLong(elementBytes + C, IN);
        local.putLong(elementBytes + N, EMPTY);
        local.putLong(elementBytes + L, element);
        ct.write(element, local, elementBytes, elementBytes);
        return element;
    }

    // ------------------------------------------------------------------------------------------------ dequeue, table 3

    @Override
    public Dequeued<T> tryDequeue(ComputeThread ct) {
        long start = times.start(ct);
        while (true) { // line 1
            long h = ct.read(own + H);
            if (h == EMPTY) {
                h = This.s.load(ct);
                if (h == EMPTY) {
                    return Dequeued.empty();
                }
                ct.write(own + H, h);
            }
            get(h, ct);
            while (c() == IN || c() == OUT) { // line 9
                if (c() == IN) {
                    long first = l();
                    if (ct.compareAndSwap(first + C, IN, OUT) == IN) {
                        times.stop(Phase.DEQ_HOP, start, ct);
                        T item = codec.decode(incoming.clear());
                        get(first, ct);
                        long next = n();
                        if (next != EMPTY) {
                            get(next, ct);
                            broadcast(next, tau(), false, true, ct);
                        }
                        return Dequeued.of(item);
                    }
                    get(first, ct);
                }
                if (c() == OUT) { // line 20
                    if (n() == EMPTY) {
                        times.stop(Phase.DEQ_HOP, start, ct);
                        return Dequeued.empty();
                    }
                    get(n(), ct);
                }
            }
            ct.pause(); // line 28
        }
    }

    // ------------------------------------------------------------------------------------------------ bcast, tables 4
    // to 8

    /** Tells everybody, oneself first, where the tail and the head are, until somebody knows better. */
    private void broadcast(long element, long tau, boolean tail, boolean head, ComputeThread ct) {
        long start = times.start(ct);
        boolean tellTail = tail;
        boolean tellHead = head;
        for (int i = -1; i < others.length && (tellTail || tellHead); i++) {
            long window = i < 0 ? own : windows[drawOther(i, ct)];
            tellTail = tellTail && update(window + T, element, tau, ct);
            tellHead = tellHead && update(window + H, element, tau, ct);
        }
        times.stop(Phase.BCAST_ALL, start, ct);
    }

    /** Others come in random order: a step of a shuffle. */
    private int drawOther(int i, ComputeThread ct) {
        int j = i + ct.random().nextInt(others.length - i);
        int drawn = others[j];
        others[j] = others[i];
        others[i] = drawn;
        return drawn;
    }

    /** Says whether the word did not know better. */
    private boolean update(long word, long element, long tau, ComputeThread ct) {
        while (true) {
            long r = ct.read(word);
            if (r != EMPTY) {
                get(r, ct);
                if (tau < tau()) {
                    return false;
                }
            }
            if (ct.compareAndSwap(word, r, element) == r) {
                return true;
            }
            ct.pause();
        }
    }

    // ------------------------------------------------------------------------------------------------ clean, tables 9
    // and 10

    /** Makes own elements FREE that are OUT and older than all that anybody refers to or holds. */
    private void clean(ComputeThread ct) {
        long oldest = oldestOf(own, ct);
        for (int i = 0; i < others.length; i++) {
            oldest = Math.min(oldest, oldestOf(windows[drawOther(i, ct)], ct));
        }
        for (int from = 0; from < elements; from += Sequence.capacity()) {
            int to = Math.min(elements, from + Sequence.capacity());
            Sequence sequence = ct.sequence();
            for (int j = from; j < to; j++) {
                sequence.read(own + E + (long) j * stride, local, scan + (long) (j - from) * PAIR, PAIR);
            }
            sequence.execute();
            for (int j = from; j < to; j++) {
                int at = scan + (j - from) * PAIR;
                if (local.getLong(at + C) == OUT && local.getLong(at + TAU) < oldest) {
                    long element = own + E + (long) j * stride;
                    ct.write(element + C, FREE);
                    free[freeCount++] = element;
                }
            }
        }
    }

    private long oldestOf(long window, ComputeThread ct) {
        return Math.min(ct.read(window + O), Math.min(tauOf(ct.read(window + H), ct), tauOf(ct.read(window + T), ct)));
    }

    private static long tauOf(long element, ComputeThread ct) {
        return element == EMPTY ? NOBODY : ct.read(element + TAU);
    }

    // ------------------------------------------------------------------------------------------------ the end

    @Override
    public void destroy(ComputeThread ct) {
        for (long window : windows) {
            ct.free(window, windowBytes(elements, codec.bytes()));
        }
        This.free(ct);
    }

    /** Where it is. */
    @Override
    public String toString() {
        return "PublishedLockFreeQueue at (" + RdmaPtr.toString(This.pointer()) + ")";
    }
}
