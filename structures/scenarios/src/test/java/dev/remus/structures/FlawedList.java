// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;

/** A flawed lazy list, whose mistakes the simulator must find. Without a mistake it is right, and simple. */
final class FlawedList implements RemoteLongSet {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** Of the original tutorial: the search stops at the tail, whose key is the default one. */
        TAIL_HAS_A_KEY,
        /** The tail is recognised by the largest key, which may be in the set. */
        TAIL_BY_LARGEST_KEY,
        /** Of the original tutorial: a lock is released by a plain store. */
        RELEASE_BY_STORE,
        /** A node is linked before its contents are placed. */
        LINK_BEFORE_PLACED,
        /** A thread does not validate after locking. */
        NO_VALIDATION,
        /** A removed node is freed while others may still be on it. */
        FREED_AT_ONCE
    }

    private static final class Node extends RemoteRecord {
        private final RemoteLong key = longField();
        private final RemoteRef<Node> next = refField();
        private final RemoteLong lock = longField();
    }

    private static final class Shared extends RemoteRecord {
        private final RemoteRef<Node> head = refField();
        private final RemoteRef<Node> tail = refField();
    }

    private final Flaw flaw;
    private final Shared This = new Shared();
    private final Node pred = new Node();
    private final Node curr = new Node();
    private final Node fresh = new Node();

    static RdmaPtr<?> create(Flaw flaw, ComputeThread ct) {
        Node tail = node(flaw == Flaw.TAIL_BY_LARGEST_KEY ? Long.MAX_VALUE : 0, RdmaPtr.NULL, ct);
        Node head = node(0, tail.pointer(), ct);
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.head.store(head, ct);
        shared.tail.store(tail, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    private static Node node(long key, long next, ComputeThread ct) {
        Node node = new Node();
        node.allocate(ct);
        node.key.store(key, ct);
        node.next.store(next, ct);
        node.lock.store(0, ct);
        return node;
    }

    FlawedList(RdmaPtr<?> This, Flaw flaw) {
        this.This.at(This);
        this.flaw = flaw;
    }

    private boolean locate(long key, ComputeThread ct) {
        long tail = This.tail.load(ct);
        pred.at(This.head.load(ct));
        curr.at(pred.next.loadUnmarked(ct));
        while (!isTail(tail, ct) && curr.key.load(ct) < key) {
            pred.at(curr);
            curr.at(curr.next.loadUnmarked(ct));
        }
        return (flaw == Flaw.TAIL_HAS_A_KEY || !isTail(tail, ct)) && curr.key.load(ct) == key;
    }

    private boolean isTail(long tail, ComputeThread ct) {
        return flaw == Flaw.TAIL_BY_LARGEST_KEY ? curr.key.load(ct) == Long.MAX_VALUE : curr.isAt(tail);
    }

    @Override
    public boolean contains(long key, ComputeThread ct) {
        return locate(key, ct) && !RdmaPtr.isMarked(curr.next.load(ct));
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        while (true) {
            locate(key, ct);
            lock(ct);
            if (isValid(ct)) {
                boolean missing = isTail(This.tail.load(ct), ct) || curr.key.load(ct) != key;
                if (missing) {
                    link(key, ct);
                }
                unlock(ct);
                return missing;
            }
            unlock(ct);
            ct.pause();
        }
    }

    private void link(long key, ComputeThread ct) {
        fresh.allocate(ct);
        fresh.lock.store(0, ct);
        if (flaw == Flaw.LINK_BEFORE_PLACED) {
            fresh.key.post(key, ct);
            ct.post(fresh.next.pointer(), curr.pointer());
        } else {
            fresh.key.store(key, ct);
            fresh.next.store(curr, ct);
        }
        pred.next.store(fresh, ct);
    }

    @Override
    public boolean remove(long key, ComputeThread ct) {
        while (true) {
            locate(key, ct);
            lock(ct);
            if (isValid(ct)) {
                boolean there = !isTail(This.tail.load(ct), ct) && curr.key.load(ct) == key;
                if (there) {
                    long next = curr.next.load(ct);
                    curr.next.store(RdmaPtr.marked(next), ct);
                    pred.next.store(RdmaPtr.unmarked(next), ct);
                }
                long removed = curr.pointer();
                unlock(ct);
                if (there && flaw == Flaw.FREED_AT_ONCE) {
                    ct.free(removed, curr.bytes());
                } else if (there) {
                    ct.schedReclaim(removed, curr.bytes());
                }
                return there;
            }
            unlock(ct);
            ct.pause();
        }
    }

    private boolean isValid(ComputeThread ct) {
        return flaw == Flaw.NO_VALIDATION
                || pred.next.load(ct) == curr.pointer() && !RdmaPtr.isMarked(curr.next.load(ct));
    }

    private void lock(ComputeThread ct) {
        acquire(pred, ct);
        acquire(curr, ct);
    }

    private static void acquire(Node node, ComputeThread ct) {
        while (!node.lock.compareAndSet(0, ct.id() + 1L, ct)) {
            ct.pause();
        }
    }

    private void unlock(ComputeThread ct) {
        release(curr, ct);
        release(pred, ct);
    }

    private void release(Node node, ComputeThread ct) {
        if (flaw == Flaw.RELEASE_BY_STORE) {
            node.lock.store(0, ct);
        } else {
            node.lock.compareAndSet(ct.id() + 1L, 0, ct);
        }
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        long size = 0;
        long tail = This.tail.load(ct);
        curr.at(This.head.load(ct));
        for (curr.at(curr.next.load(ct)); !isTail(tail, ct); curr.at(curr.next.load(ct))) {
            size++;
        }
        return size;
    }

    @Override
    public void destroy(ComputeThread ct) {}
}
