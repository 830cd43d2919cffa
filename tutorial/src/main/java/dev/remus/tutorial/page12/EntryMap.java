// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page12;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;

/**
 * A map whose entries are nodes of sorted lists. A subclass chooses the list and the order of each key.
 *
 * <p>The lists are those of Michael, "High Performance Dynamic Lock-Free Hash Tables and List-Based Sets", SPAA 2002.
 * Linearizable and lock-free. An entry is in the map from the swap that links its node to the swap that marks it. A
 * thread that dies leaves at most a marked node that others unlink, and unused blocks.
 */
public abstract class EntryMap {
    /** What the methods return for a key that is not in the map. */
    public static final long ABSENT = Long.MIN_VALUE;

    // #region node
    /** An entry, or the marker at which a bucket begins. */
    static final class Node extends RemoteRecord {
        final RemoteLong order = longField();
        final RemoteLong value = longField();
        final RemoteRef<Node> next = refField(); // marked once the entry is removed
    }
    // #endregion node

    /** Where the last walk ended. */
    final Node curr = new Node();

    /** The node before. */
    final Node pred = new Node();

    /** The node that this thread links. */
    final Node fresh = new Node();

    /** How many nodes the last walk has passed. */
    int passed;

    // #region hash
    /** Changes the bits so that near keys are far apart. Different keys stay different. */
    static int hash(int key) {
        int mixed = (key ^ key >>> 16) * 0x7FEB352D;
        return mixed ^ mixed >>> 15;
    }

    /** Where the key's entry belongs in its list: a positive number, another one for each key. */
    abstract long order(int key);

    /** Looks for the key in its bucket; returns whether curr has it. */
    abstract boolean find(int key, ComputeThread ct);
    // #endregion hash

    // #region locate
    /**
     * Walks from a marker to where that order belongs; unlinks removed nodes on its way.
     * Returns whether curr has that order.
     */
    boolean locate(long marker, long order, ComputeThread ct) {
        passed = 0;
        pred.at(marker);
        curr.at(pred.next.load(ct));
        while (!curr.isAt(RdmaPtr.NULL)) {
            curr.fetch(ct); // the whole node, in one round trip
            long next = curr.next.fetched();
            if (RdmaPtr.isMarked(next)) {
                if (pred.next.compareAndSet(curr.pointer(), RdmaPtr.unmarked(next), ct)) {
                    curr.schedReclaim(ct);
                    curr.at(RdmaPtr.unmarked(next));
                } else { // pred has another successor now, or is removed itself
                    ct.pause();
                    pred.at(marker);
                    curr.at(pred.next.load(ct));
                }
            } else if (curr.order.fetched() < order) {
                passed++;
                pred.at(curr);
                curr.at(next);
            } else {
                return curr.order.fetched() == order;
            }
        }
        return false;
    }
    // #endregion locate

    // #region link
    /** Links a new node between pred and curr; returns false if they are not neighbours any more. */
    boolean link(long order, long value, ComputeThread ct) {
        make(order, value, curr.pointer(), ct);
        return keepIf(pred.next.compareAndSet(curr.pointer(), fresh.pointer(), ct), ct);
    }

    private void make(long order, long value, long next, ComputeThread ct) {
        fresh.allocate(ct);
        fresh.order.post(order, ct);
        fresh.value.post(value, ct);
        fresh.next.post(next, ct);
        ct.place(); // before another thread can see the node
    }

    private boolean keepIf(boolean linked, ComputeThread ct) {
        if (!linked) {
            fresh.free(ct); // no thread has seen it
            ct.pause();
        }
        return linked;
    }
    // #endregion link

    // #region operations
    /** The value of the key, or {@link #ABSENT}. */
    public long get(int key, ComputeThread ct) {
        return find(key, ct) ? curr.value.fetched() : ABSENT;
    }

    /** Inserts the key if it is missing; returns {@link #ABSENT} then, or else its value. */
    public long putIfAbsent(int key, long value, ComputeThread ct) {
        while (!find(key, ct)) {
            if (link(order(key), value, ct)) {
                return ABSENT;
            }
        }
        return curr.value.fetched();
    }

    /** Removes the key; returns its value, or {@link #ABSENT} if it was not there. */
    public long remove(int key, ComputeThread ct) {
        while (find(key, ct)) {
            long value = curr.value.fetched();
            long next = curr.next.fetched();
            if (curr.next.compareAndSet(next, RdmaPtr.marked(next), ct)) {
                find(key, ct); // unlinks the node, unless another thread has
                return value;
            }
            ct.pause();
        }
        return ABSENT;
    }
    // #endregion operations

    // #region put
    /** Sets the value of the key; returns the one before, or {@link #ABSENT}. */
    public long put(int key, long value, ComputeThread ct) {
        while (true) {
            if (!find(key, ct)) {
                if (link(order(key), value, ct)) {
                    return ABSENT;
                }
            } else if (replace(value, ct)) {
                long before = curr.value.fetched();
                find(key, ct); // unlinks the old node, unless another thread has
                return before;
            }
        }
    }

    /** By one swap, marks the link of curr and lets it lead to a new node with the same key. */
    private boolean replace(long value, ComputeThread ct) {
        long next = curr.next.fetched();
        make(curr.order.fetched(), value, next, ct);
        return keepIf(curr.next.compareAndSet(next, RdmaPtr.marked(fresh.pointer()), ct), ct);
    }
    // #endregion put

    /** Makes the marker of a new list, which nothing follows. */
    static long newMarker(ComputeThread ct) {
        Node marker = new Node();
        marker.allocate(ct);
        marker.order.post(0, ct);
        marker.value.post(0, ct);
        marker.next.post(RdmaPtr.NULL, ct);
        ct.place();
        return marker.pointer();
    }

    /** Frees a list, while no other thread uses the map. */
    final void freeList(long marker, ComputeThread ct) {
        curr.at(marker);
        while (!curr.isAt(RdmaPtr.NULL)) {
            long next = RdmaPtr.unmarked(curr.next.load(ct));
            curr.free(ct);
            curr.at(next);
        }
    }
}
