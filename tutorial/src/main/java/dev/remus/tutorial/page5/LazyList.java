// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page5;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.structures.RemoteLongSet;

/**
 * A sorted list of keys with a lock in each node: a set. The keys of the two sentinels are never read.
 *
 * <p>Linearizable; {@link #contains} is wait-free, {@link #insert} and {@link #remove} block. {@code
 * dev.remus.structures.LazyListSet} has the details.
 */
public final class LazyList implements RemoteLongSet {
    // #region node
    /** A view of a node: the fields are in remote memory. */
    private static final class Node extends RemoteRecord {
        final RemoteLong key = longField();
        final RemoteRef<Node> next = refField();
        final RemoteLong lock = longField();

        /** Initialises a node that no other thread can see yet. */
        void init(long newKey, long successor, ComputeThread ct) {
            key.store(newKey, ct);
            next.store(successor, ct);
            lock.store(0, ct);
        }
        // #endregion node

        // #region lock
        void acquire(ComputeThread ct) {
            while (!lock.compareAndSet(0, 1, ct)) {
                do {
                    ct.pause();
                } while (lock.load(ct) != 0);
            }
        }

        void release(ComputeThread ct) {
            lock.compareAndSet(1, 0, ct);
        }
    }
    // #endregion lock

    // #region shared
    /** The data that all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteRef<Node> head = refField();
        private final RemoteRef<Node> tail = refField();
    }

    private final Shared This = new Shared(); // for data
    private final Node pred = new Node(); // two views that walk along the list
    private final Node curr = new Node();
    private final Node fresh = new Node();
    // #endregion shared

    // #region create
    /** Makes an empty set in remote memory. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Node tail = new Node();
        tail.allocate(ct);
        tail.init(0, RdmaPtr.NULL, ct);
        Node head = new Node();
        head.allocate(ct);
        head.init(0, tail.pointer(), ct);
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.head.store(head, ct);
        shared.tail.store(tail, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /** Makes a thread's own handle to a set that {@link #create} made. */
    public LazyList(RdmaPtr<Shared> This) {
        this.This.at(This);
    }
    // #endregion create

    // #region locate
    /** Moves pred and curr to where the key belongs; returns whether curr has it. */
    private boolean locate(long key, ComputeThread ct) {
        long tail = This.tail.load(ct);
        pred.at(This.head.load(ct));
        curr.at(pred.next.loadUnmarked(ct));
        while (!curr.isAt(tail) && curr.key.load(ct) < key) {
            pred.at(curr);
            curr.at(curr.next.loadUnmarked(ct));
        }
        return !curr.isAt(tail) && curr.key.load(ct) == key;
    }
    // #endregion locate

    // #region contains
    @Override
    public boolean contains(long key, ComputeThread ct) {
        return locate(key, ct) && !RdmaPtr.isMarked(curr.next.load(ct));
    }
    // #endregion contains

    // #region validate
    /** Whether pred and curr are neighbours in the list. Holds as long as both are locked. */
    private boolean isValid(ComputeThread ct) {
        return pred.next.load(ct) == curr.pointer() && !RdmaPtr.isMarked(curr.next.load(ct));
    }
    // #endregion validate

    // #region insert
    @Override
    public boolean insert(long key, ComputeThread ct) {
        while (true) {
            boolean found = locate(key, ct);
            pred.acquire(ct);
            curr.acquire(ct);
            boolean valid = isValid(ct);
            if (valid && !found) {
                fresh.allocate(ct);
                fresh.init(key, curr.pointer(), ct);
                pred.next.store(fresh, ct);
            }
            curr.release(ct);
            pred.release(ct);
            if (valid) {
                return !found;
            }
            ct.pause();
        }
    }
    // #endregion insert

    // #region remove
    @Override
    public boolean remove(long key, ComputeThread ct) {
        while (true) {
            boolean found = locate(key, ct);
            pred.acquire(ct);
            curr.acquire(ct);
            boolean valid = isValid(ct);
            if (valid && found) {
                long next = curr.next.load(ct);
                curr.next.store(RdmaPtr.marked(next), ct);
                pred.next.store(next, ct);
                curr.schedReclaim(ct);
            }
            curr.release(ct);
            pred.release(ct);
            if (valid) {
                return found;
            }
            ct.pause();
        }
    }
    // #endregion remove

    // #region alone
    /** Counts the keys while no other thread uses the set, and checks their order. */
    @Override
    public long checkedSize(ComputeThread ct) {
        long size = 0;
        long tail = This.tail.load(ct);
        pred.at(This.head.load(ct));
        curr.at(pred.next.load(ct));
        while (!curr.isAt(tail)) {
            if (size > 0 && pred.key.load(ct) >= curr.key.load(ct)) {
                throw new IllegalStateException(curr + ": its key is not above the one before");
            }
            size++;
            pred.at(curr);
            curr.at(curr.next.load(ct));
        }
        return size;
    }

    /** Gives all memory back, while no other thread uses the set. */
    @Override
    public void destroy(ComputeThread ct) {
        curr.at(This.head.load(ct));
        while (!curr.isAt(RdmaPtr.NULL)) {
            long next = curr.next.load(ct);
            curr.free(ct);
            curr.at(next);
        }
        This.free(ct);
    }
    // #endregion alone
}
