// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Atomic;
import dev.remus.record.Codec;
import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteArray;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import dev.remus.structures.Dequeued;
import dev.remus.structures.LockFreeQueue;
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
 *  | h: its      | t: its      | o: timestamp of the   | e[K]: its elements  |
 *  | reference   | reference   | element that it has   |                     |
 *  | to the head | to the tail | read last             |                     |
 *  +-------------+-------------+-----------------------+---------------------+
 *
 *  an element
 *  +--------------+---------------+-------------+--------------+-------------+
 *  | τ: timestamp | c: FREE, IN   | n: the next | l: reference | v: the item |
 *  |              | or OUT        | element     | to itself    |             |
 *  +--------------+---------------+-------------+--------------+-------------+
 * </pre>
 *
 * <p>The published c is F, A or D. A reference is a remote pointer. The published o is a copy of the element; others
 * only read its timestamp. There it is a store to local memory; here it is posted and not awaited.
 *
 * <p><b>What is wrong or missing</b>, with the numbers of {@code structures/core/design/LockFreeQueue.md}:
 *
 * <ol>
 *   <li>Items are lost, duplicated and reordered: reading a reference, reading the element and announcing it in
 *       o are three steps, and between them the element can be dequeued, freed and used again.
 *   <li>Timestamps come from clocks that must be synchronised: with skew, an element through which a thread still
 *       walks is freed, and threads hang.
 *   <li>Endless loops: when h names a FREE element, nothing ever changes h.
 *   <li>Not lock-free: a thread that stops keeps its h, t and o, and soon all others get FULL.
 *   <li>State and identity are separate words: the swap of IN for OUT cannot distinguish an element from its next life.
 *   <li>Nor can the swap of n: it can append behind an element that is not in the queue.
 *   <li>An element of several words is torn by a remote READ: a dequeue can see no successor of an element that was OUT
 *       only later, and return EMPTY.
 *   <li>Plain stores to h and t, which others change by COMPARE_AND_SWAP ({@code --check-memory} reports them); and
 *       s, which is never set again.
 *   <li>Each operation updates the references of all threads: 3 round trips for each.
 *   <li>Slips of the text; this class follows the intention.
 * </ol>
 *
 * <p><b>Promises.</b> Linearizable and lock-free while no element is used again: that is, until a thread has enqueued
 * as many items as its window has elements. <b>Death</b> of a thread leads to FULL for all. <b>Round trips</b>: enqueue
 * about 6 + 3N, dequeue about 5 + 3N with N threads, if the hints are right.
 *
 * <p>The windows are the queue's until it is destroyed, so no operation retires a block. A handle belongs to one
 * thread, and each thread has one.
 *
 * <p>Source: A. Burachenko, A. Paznikov, D. Derzhavin, doi 10.17223/19988605/62/2, tables 1 to 10.
 *
 * @param <T> items
 */
public class PublishedLockFreeQueue<T> implements RemoteQueue<T> {
    private static final long EMPTY = RdmaPtr.NULL;

    // States of an element.
    private static final long FREE = 0;
    private static final long IN = 1;
    private static final long OUT = 2;

    /** Timestamp and state, which the cleaner READs. */
    private static final int PAIR = 16;

    /** The timestamp of a thread that reads no element. */
    private static final long NO_STAMP = Long.MAX_VALUE;

    /** What all handles share. */
    public static final class Shared extends RemoteRecord implements DrawnRecord {
        private final RemoteLong s = longField();
        private final RemoteLong itemBytes = longField();
        private final RemoteLong elements = longField();
        private final RemoteLongArray windows;

        private Shared(int threads) {
            windows = longArrayField(threads);
        }

        @Override
        public void draw(Drawing drawing) {
            drawing.link(s, w -> w).link(windows, w -> w);
        }
    }

    private static final class Element<T> extends RemoteRecord implements DrawnRecord {
        private final RemoteLong tau = longField();
        private final RemoteLong c = longField();
        private final RemoteLong n = longField();
        private final RemoteLong l = longField();
        private final Atomic<T> v;

        Element(Codec<T> codec) {
            v = field(codec);
        }

        @Override
        public void draw(Drawing drawing) {
            drawing.link(n, w -> w).link(l, w -> w).text(c, w -> w == FREE ? "FREE" : w == IN ? "IN" : "OUT");
        }
    }

    private static final class Window extends RemoteRecord implements DrawnRecord {
        private final RemoteLong h = longField();
        private final RemoteLong t = longField();
        private final RemoteLong o = longField();
        private final RemoteArray e;

        Window(int elements, Codec<?> codec) {
            e = lineArrayField(elements, new Element<>(codec).bytes());
        }

        @Override
        public void draw(Drawing drawing) {
            drawing.link(h, w -> w).link(t, w -> w).text(o, w -> w == NO_STAMP ? "none" : Long.toString(w));
        }
    }

    private final Shared This;
    private final int elements;
    private final long[] windows;
    private final Window own;

    /** The window of another thread, which is updated or READ. */
    private final Window other;

    /** The element that was READ last. */
    private final Element<T> o;

    /** The element that is enqueued. */
    private final Element<T> mine;

    /** The element of which a word is changed. */
    private final Element<T> target;

    /** Own elements that are FREE. */
    private final long[] free;

    private int freeCount;

    /** The other threads, in the order of the last broadcast. */
    private final int[] others;

    /** Timestamps and states of own elements. */
    private final LocalBuffer pairs;

    /** The timestamp of {@link #mine}. */
    private long tau;

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
        Window window = new Window(capacity, codec);
        for (int i = 0; i < threads; i++) {
            long bytes = window.bytes();
            window.at(ct.allocateNear(i, bytes));
            ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(bytes, 1 << 16)); // FREE, EMPTY
            for (long done = 0; done < bytes; done += zeros.capacity()) {
                ct.write(window.pointer() + done, zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - done)));
            }
            window.o.store(NO_STAMP, ct);
            shared.windows.store(i, window.pointer(), ct);
        }
        return new RdmaPtr<>(shared.pointer());
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
        long itemBytes = this.This.itemBytes.load(ct);
        if (itemBytes != codec.bytes()) {
            throw new IllegalArgumentException("a codec for items of " + codec.bytes() + " bytes, but the queue at ("
                    + RdmaPtr.toString(This.raw()) + ") was made for items of " + itemBytes);
        }
        this.elements = (int) this.This.elements.load(ct);
        this.windows = new long[ct.threads()];
        this.others = new int[ct.threads() - 1];
        for (int i = 0; i < windows.length; i++) {
            windows[i] = this.This.windows.load(i, ct);
            if (i != ct.id()) {
                others[i < ct.id() ? i : i - 1] = i;
            }
        }
        this.own = new Window(elements, codec);
        this.own.at(windows[ct.id()]);
        this.other = new Window(elements, codec);
        this.o = new Element<>(codec);
        this.mine = new Element<>(codec);
        this.target = new Element<>(codec);
        this.free = new long[elements];
        for (int j = elements - 1; j >= 0; j--) {
            free[freeCount++] = own.e.pointer(j);
        }
        this.pairs = ct.allocateLocal((long) PAIR * Sequence.capacity());
    }

    // ------------------------------------------------------------------------------------------------ last element

    /** o = atomic_get(reference) */
    private void get(long reference, ComputeThread ct) {
        o.at(reference);
        o.fetch(ct);
        own.o.post(o.tau.fetched(), ct);
    }

    private long c() {
        return o.c.fetched();
    }

    private long n() {
        return o.n.fetched();
    }

    private long l() {
        return o.l.fetched();
    }

    // ------------------------------------------------------------------------------------------------ enqueue, table 2

    @Override
    public final boolean tryEnqueue(T item, ComputeThread ct) {
        if (!newElement(item, ct)) {
            return false;
        }
        boolean wasEmpty = link(ct);
        broadcast(mine.pointer(), tau, true, wasEmpty, ct);
        return true;
    }

    /**
     * A step of an enqueue: finds the tail and links the new element behind it. An experiment overrides it.
     *
     * @return whether the queue was empty, so that the element is its head, too
     */
    protected boolean link(ComputeThread ct) {
        while (true) { // line 4
            long t = own.t.load(ct);
            if (t == EMPTY) {
                t = This.s.load(ct);
                if (t == EMPTY) {
                    stamp(ct);
                    t = This.s.compareAndExchange(EMPTY, mine.pointer(), ct);
                    if (t == EMPTY) {
                        return true;
                    }
                }
                own.t.store(t, ct);
            }
            get(t, ct);
            while (c() == IN || c() == OUT && n() != EMPTY) { // lines 17 and 36
                if (n() != EMPTY) {
                    get(n(), ct);
                } else {
                    long last = l();
                    if (linkBehind(last, ct)) {
                        return false;
                    }
                    get(last, ct);
                }
            }
            if (c() == OUT && linkBehind(l(), ct)) { // line 30: the queue is empty
                return true;
            }
            ct.pause(); // line 41
        }
    }

    private boolean linkBehind(long last, ComputeThread ct) {
        stamp(ct);
        target.at(last);
        return target.n.compareAndSet(EMPTY, mine.pointer(), ct);
    }

    private void stamp(ComputeThread ct) {
        tau = ct.nanoTime();
        mine.tau.store(tau, ct);
    }

    /** init_elem */
    private boolean newElement(T item, ComputeThread ct) {
        if (freeCount == 0) {
            clean(ct);
            if (freeCount == 0) {
                return false;
            }
        }
        mine.at(free[--freeCount]);
        mine.tau.stage(0, ct);
        mine.c.stage(IN, ct);
        mine.n.stage(EMPTY, ct);
        mine.l.stage(mine.pointer(), ct);
        mine.v.stage(item, ct);
        mine.storeStaged(ct);
        return true;
    }

    // ------------------------------------------------------------------------------------------------ dequeue, table 3

    @Override
    public final Dequeued<T> tryDequeue(ComputeThread ct) {
        if (!takeFirst(ct)) {
            return Dequeued.empty();
        }
        T item = o.v.fetched();
        get(l(), ct);
        long next = n();
        if (next != EMPTY) {
            get(next, ct);
            broadcast(next, o.tau.fetched(), false, true, ct);
        }
        return Dequeued.of(item);
    }

    /**
     * A step of a dequeue: finds the head and {@linkplain #take takes} it. An experiment overrides it to measure it.
     *
     * @return false if the queue is empty
     */
    protected boolean takeFirst(ComputeThread ct) {
        while (true) { // line 1
            long h = own.h.load(ct);
            if (h == EMPTY) {
                h = This.s.load(ct);
                if (h == EMPTY) {
                    return false;
                }
                own.h.store(h, ct);
            }
            get(h, ct);
            while (c() == IN || c() == OUT) { // line 9
                if (c() == IN) {
                    if (take(ct)) {
                        return true;
                    }
                    get(l(), ct);
                }
                if (c() == OUT) { // line 20
                    if (n() == EMPTY) {
                        return false;
                    }
                    get(n(), ct);
                }
            }
            ct.pause(); // line 28
        }
    }

    /**
     * A step of finding the head: takes the element that was READ last. An experiment overrides it to measure it.
     *
     * @return false if another thread has taken it
     */
    protected boolean take(ComputeThread ct) {
        target.at(l());
        return target.c.compareAndSet(IN, OUT, ct);
    }

    // ------------------------------------------------------------------------------------------------ bcast, tables 4
    // to 8

    /**
     * A step of both: updates the references of all threads to the tail and the head, this one's first, until one is
     * newer. An experiment overrides it to measure it.
     */
    protected void broadcast(long element, long stamp, boolean tail, boolean head, ComputeThread ct) {
        boolean updateTail = tail;
        boolean updateHead = head;
        for (int i = -1; i < others.length && (updateTail || updateHead); i++) {
            other.at(i < 0 ? own.pointer() : windows[drawOther(i, ct)]);
            updateTail = updateTail && update(other.t, element, stamp, ct);
            updateHead = updateHead && update(other.h, element, stamp, ct);
        }
    }

    /** The next one of a random order of the other threads: a step of a shuffle. */
    private int drawOther(int i, ComputeThread ct) {
        int j = i + ct.random().nextInt(others.length - i);
        int drawn = others[j];
        others[j] = others[i];
        others[i] = drawn;
        return drawn;
    }

    /** Returns whether the word did not know better. */
    private boolean update(RemoteLong word, long element, long stamp, ComputeThread ct) {
        while (true) {
            long r = word.load(ct);
            if (r != EMPTY) {
                get(r, ct);
                if (stamp < o.tau.fetched()) {
                    return false;
                }
            }
            if (word.compareAndSet(r, element, ct)) {
                return true;
            }
            ct.pause();
        }
    }

    // ------------------------------------------------------------------------------------------------ clean, tables 9
    // and 10

    /** Makes own elements FREE that are OUT and older than all that any thread refers to or holds. */
    private void clean(ComputeThread ct) {
        long oldest = oldestOf(own.pointer(), ct);
        for (int i = 0; i < others.length; i++) {
            oldest = Math.min(oldest, oldestOf(windows[drawOther(i, ct)], ct));
        }
        for (int from = 0; from < elements; from += Sequence.capacity()) {
            int to = Math.min(elements, from + Sequence.capacity());
            Sequence sequence = ct.sequence();
            for (int j = from; j < to; j++) {
                sequence.read(own.e.pointer(j), pairs, (long) (j - from) * PAIR, PAIR);
            }
            sequence.execute();
            for (int j = from; j < to; j++) {
                int at = (j - from) * PAIR;
                if (pairs.getLong(at + Long.BYTES) == OUT && pairs.getLong(at) < oldest) {
                    target.at(own.e.pointer(j));
                    target.c.store(FREE, ct);
                    free[freeCount++] = target.pointer();
                }
            }
        }
    }

    private long oldestOf(long window, ComputeThread ct) {
        other.at(window);
        return Math.min(other.o.load(ct), Math.min(tauOf(other.h.load(ct), ct), tauOf(other.t.load(ct), ct)));
    }

    private long tauOf(long element, ComputeThread ct) {
        if (element == EMPTY) {
            return NO_STAMP;
        }
        target.at(element);
        return target.tau.load(ct);
    }

    // ------------------------------------------------------------------------------------------------ the end

    @Override
    public final void destroy(ComputeThread ct) {
        for (long window : windows) {
            ct.free(window, own.bytes());
        }
        This.free(ct);
    }

    /** Where it is. */
    @Override
    public final String toString() {
        return "PublishedLockFreeQueue at (" + RdmaPtr.toString(This.pointer()) + ")";
    }
}
