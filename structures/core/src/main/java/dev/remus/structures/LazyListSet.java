// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.node.SortedChain;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;

/**
 * A sorted linked list with a lock in each node, as a set: the lazy list. Keys are of any fixed size and order; {@link
 * LongLazyListSet} is the one for integers.
 *
 * <p><b>Promises.</b> Linearizable. {@link #contains} is wait-free: it takes no lock and never retries. {@link #insert}
 * and {@link #remove} block: each locks two neighbouring nodes.
 *
 * <p><b>Linearization points.</b> A successful insert: when the link to the new node is stored. A successful remove:
 * when the mark is stored in the node's {@code next}. An unsuccessful insert or remove: while both locks are held. A
 * contains that finds the key: when it reads an unmarked {@code next}. One that does not: when the key was last known
 * to be missing, which is either when the last link was read or, if the node had been removed already when it was
 * reached, a moment after the removal and inside the call (Heller et al., section 4).
 *
 * <p><b>Death.</b> A thread that is lost with its node blocks no other for ever. It may leave one or two nodes locked:
 * a thread that inserts or removes next to them waits until the lost one is cut off, and then takes each lock from it
 * ({@link LockWords}). {@code contains} is not affected. No step leaves the list out of order:
 *
 * <ul>
 *   <li>Before the link to a new node is stored, nothing has changed, and the memory of the new node is lost. After it,
 *       the insert is complete. The new node was placed before.
 *   <li>Before the mark of a removed node is stored, nothing has changed. After it the key is gone, but the node may
 *       still be linked. Searches go past it, and a thread that inserts or removes next to it unlinks and reclaims it
 *       first.
 *   <li>Once the node is unlinked, only its memory may be lost. No thread that finds it later changes it, since a
 *       thread validates after it has locked.
 *   <li>While a thread that has taken one lock waits for the other, a third may take that one: locks are independent,
 *       and each thread takes them in the order of the list.
 * </ul>
 *
 * <p>So the operation of a lost thread has taken effect, or not at all. If the lost node is not cut off within the loss
 * time-out, the waiters get a {@link dev.remus.fabric.NodeLostException}. A thread that stops in a node that lives is
 * waited for. The same holds if the thread lives and the lane of an insert or remove breaks; it leaves no node locked.
 *
 * <p><b>Round trips.</b> With v nodes visited: contains 3 + 2v, plus 1 if the key was found. Insert 9 + 2v and 4 more
 * to link a new node (3 for one that was just freed by the same thread), remove 9 + 2v and 3 more to unlink, without
 * contention, counting the v nodes up to and including the one at or behind the key.
 *
 * <p>Removed nodes are {@linkplain ComputeThread#schedReclaim retired}, since other threads may be reading them.
 *
 * <p>A handle belongs to one thread; its views of nodes are reused, so that an operation allocates nothing locally.
 *
 * <p>Source: Heller, Herlihy, Luchangco, Moir, Scherer, Shavit, "A Lazy Concurrent List-Based Set Algorithm", OPODIS
 * 2005; in the form of the tutorial of the C++ Remus, "Building a Concurrent Data Structure", without its mistakes: the
 * tail is recognised by its address and never by its key, and locks are released by compare-and-swap.
 *
 * @param <K> a local key
 */
public final class LazyListSet<K> implements RemoteSet<K> {
    /**
     * A view of a node; the two sentinels have no key.
     *
     * <pre>
     *  0               bytes of a key      + 8      + 16
     *  +---------------+-------------------+--------+
     *  | key           | next, marked once | lock   |
     *  |               | it is removed     |        |
     *  +---------------+-------------------+--------+
     *    WRITE, before   WRITE, by the       COMPARE_AND_SWAP
     *    it is linked    lock's holder
     * </pre>
     */
    private static final class Node<K> extends RemoteRecord {
        private final RemoteBytes key;
        private final RemoteRef<Node<K>> next;
        private final RemoteLong lock;

        /** What the lock is while this thread holds it. */
        private long mark;

        Node(KeyType<K> keyType) {
            key = bytesField(keyType.bytes());
            next = refField();
            lock = longField();
        }

        void init(long successor, ComputeThread ct) {
            next.store(successor, ct);
            lock.store(LockWords.FREE, ct); // no thread can see it yet: it is not a lock before it is linked
        }

        void acquire(ComputeThread ct) {
            LockWords locks = ct.lockWords();
            mark = locks.newMark();
            long seen = LockWords.FREE;
            long found = locks.tryAcquire(lock.pointer(), seen, mark);
            while (found != seen) {
                while (!locks.canAcquire(found)) {
                    ct.pauseForHolder(LockWords.holder(found));
                    found = lock.load(ct);
                }
                seen = found;
                found = locks.tryAcquire(lock.pointer(), seen, mark);
            }
        }

        /** By compare-and-swap: a plain store could be undone by the failing compare-and-swap of another thread. */
        void release(ComputeThread ct) {
            ct.lockWords().release(lock.pointer(), mark);
        }
    }

    /** What all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteRef<Node<?>> head = refField();
        private final RemoteRef<Node<?>> tail = refField();

        private Shared() {}
    }

    private final Shared This = new Shared();
    private final KeyType<K> keyType;
    private final Node<K> pred;
    private final Node<K> curr;
    private final Node<K> fresh;

    /** Searches by keys that are 64-bit integers. */
    private final SortedChain chain;

    /** What was behind {@code pred} when a search went past it: {@code curr}, or a removed node between the two. */
    private long behindPred;

    /** Makes an empty set in remote memory. */
    public static <K> RdmaPtr<Shared> create(KeyType<K> keyType, ComputeThread ct) {
        Node<K> tail = new Node<>(keyType);
        tail.allocate(ct);
        tail.init(RdmaPtr.NULL, ct);
        Node<K> head = new Node<>(keyType);
        head.allocate(ct);
        head.init(tail.pointer(), ct);
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.head.store(head, ct);
        shared.tail.store(tail, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /**
     * Makes a thread's handle to a set.
     *
     * @param This what {@link #create} returned
     * @param keyType of the same kind as it was created with
     */
    public LazyListSet(RdmaPtr<Shared> This, KeyType<K> keyType) {
        this.This.at(This);
        this.keyType = keyType;
        this.pred = new Node<>(keyType);
        this.curr = new Node<>(keyType);
        this.fresh = new Node<>(keyType);
        this.chain = SortedChain.ofWords();
    }

    @Override
    public boolean contains(K key, ComputeThread ct) {
        return locate(key, ct) && !RdmaPtr.isMarked(curr.next.load(ct));
    }

    @Override
    public boolean insert(K key, ComputeThread ct) {
        while (true) {
            boolean found = locate(key, ct);
            lock(ct);
            try {
                if (validate(ct)) {
                    if (!found) {
                        fresh.allocate(ct);
                        fresh.init(curr.pointer(), ct);
                        keyType.store(fresh.key.pointer(), key, ct);
                        pred.next.store(fresh, ct);
                    }
                    return !found;
                }
            } finally {
                unlock(ct);
            }
            ct.pause();
        }
    }

    @Override
    public boolean remove(K key, ComputeThread ct) {
        while (true) {
            boolean found = locate(key, ct);
            lock(ct);
            try {
                if (validate(ct)) {
                    if (found) {
                        long next = curr.next.load(ct);
                        curr.next.store(RdmaPtr.marked(next), ct);
                        unlink(next, ct);
                    }
                    return found;
                }
            } finally {
                unlock(ct);
            }
            ct.pause();
        }
    }

    /** With {@code curr} marked, and both locked. */
    private void unlink(long next, ComputeThread ct) {
        pred.next.store(next, ct);
        curr.schedReclaim(ct);
    }

    /**
     * Moves {@code pred} and {@code curr} to where the key belongs; returns whether {@code curr} holds it. Goes past
     * removed nodes, so that {@code pred} is never one.
     */
    private boolean locate(K key, ComputeThread ct) {
        long tail = This.tail.load(ct);
        pred.at(This.head.load(ct));
        return keyType.isNumber() ? locateNumber(keyType.number(key), tail, ct) : locateKey(key, tail, ct);
    }

    private boolean locateNumber(long key, long tail, ComputeThread ct) {
        boolean found = chain.search(pred.pointer(), tail, key, ct);
        pred.at(chain.before());
        behindPred = chain.link();
        curr.at(chain.at());
        return found;
    }

    private boolean locateKey(K key, long tail, ComputeThread ct) {
        behindPred = pred.next.load(ct);
        curr.at(behindPred);
        while (!curr.isAt(tail)) {
            int order = keyType.compare(curr.key.pointer(), key, ct);
            if (order >= 0) {
                return order == 0;
            }
            long next = curr.next.load(ct);
            if (!RdmaPtr.isMarked(next)) {
                pred.at(curr);
                behindPred = next;
            }
            curr.at(RdmaPtr.unmarked(next));
        }
        return false;
    }

    private void lock(ComputeThread ct) {
        curr.at(behindPred); // which moves it only if removed nodes lie between: the first of these has to go
        pred.acquire(ct);
        try {
            curr.acquire(ct);
        } catch (RuntimeException e) { // do not leave the other one locked
            pred.release(ct);
            throw e;
        }
    }

    private void unlock(ComputeThread ct) {
        try {
            curr.release(ct);
        } finally { // also if its Memory Node is lost
            pred.release(ct);
        }
    }

    /**
     * Whether, with both locked, neither is removed and they are still neighbours. If {@code curr} is removed and
     * linked all the same, its remover was lost, or its lane broke, before he could unlink it, and this thread does.
     */
    private boolean validate(ComputeThread ct) {
        if (pred.next.load(ct) != curr.pointer()) {
            return false;
        }
        long next = curr.next.load(ct);
        if (RdmaPtr.isMarked(next)) {
            unlink(RdmaPtr.unmarked(next), ct);
            return false;
        }
        return true;
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        long size = 0;
        long tail = This.tail.load(ct);
        pred.at(This.head.load(ct));
        check(pred, ct);
        curr.at(pred.next.load(ct));
        while (!curr.isAt(tail)) {
            long next = curr.next.load(ct);
            if (RdmaPtr.isMarked(next)) { // its remover could not unlink it; see validate
                curr.at(RdmaPtr.unmarked(next));
                continue;
            }
            check(curr, ct);
            if (size > 0 && keyType.compare(pred.key.pointer(), curr.key.pointer(), ct) >= 0) {
                throw new IllegalStateException(curr + ": its key is not above that of the node before");
            }
            size++;
            pred.at(curr);
            curr.at(next);
        }
        check(curr, ct);
        return size;
    }

    private void check(Node<K> node, ComputeThread ct) {
        if (RdmaPtr.isMarked(node.next.load(ct))) {
            throw new IllegalStateException(node + " is marked as removed, but it is an end of the list");
        }
        long holder = node.lock.load(ct);
        if (!ct.lockWords().canAcquire(holder)) {
            throw new IllegalStateException(node + " is locked by thread " + LockWords.holder(holder));
        }
    }

    @Override
    public void destroy(ComputeThread ct) {
        curr.at(This.head.load(ct));
        while (!curr.isAt(RdmaPtr.NULL)) {
            long next = curr.next.loadUnmarked(ct);
            curr.free(ct);
            curr.at(next);
        }
        This.free(ct);
    }
}
