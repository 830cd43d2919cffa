// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page6;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import dev.remus.structures.RemoteLongSet;
import java.util.Set;

/**
 * The list of page 5 with tricks that save round trips; each can be left out to see its effect. It makes the same
 * promises.
 */
public final class FastList implements RemoteLongSet {
    /** Ways to save round trips. */
    public enum Trick {
        /** A handle reads the addresses of the sentinels once, since they never change. */
        REMEMBER,
        /** A node is read as a whole. */
        WHOLE_NODES,
        /** Stores go out in one chain, and a release of a lock is not awaited. */
        CHAINS
    }

    /** A node; a view. */
    static final class Node extends RemoteRecord {
        final RemoteLong key = longField();
        final RemoteRef<Node> next = refField();
        final RemoteLong lock = longField();

        void acquire(ComputeThread ct) {
            while (!lock.compareAndSet(0, 1, ct)) {
                do {
                    ct.pause();
                } while (lock.load(ct) != 0);
            }
        }
    }

    /** The data that all handles share. */
    public static final class Shared extends RemoteRecord {
        final RemoteRef<Node> head = refField();
        final RemoteRef<Node> tail = refField();
    }

    private final Set<Trick> tricks;
    private final Shared This = new Shared();
    private final Node pred = new Node();
    private final Node curr = new Node();
    private final Node fresh = new Node();
    private long head; // 0 until it is read
    private long tail;
    private long currKey; // of curr, as it was last seen
    private long currNext;

    /** Makes an empty set in remote memory. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Node tail = new Node();
        tail.allocate(ct);
        tail.next.store(RdmaPtr.NULL, ct);
        tail.lock.store(0, ct);
        Node head = new Node();
        head.allocate(ct);
        head.next.store(tail, ct);
        head.lock.store(0, ct);
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.head.store(head, ct);
        shared.tail.store(tail, ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /** Makes a thread's own handle to a set that {@link #create} made. */
    public FastList(RdmaPtr<Shared> This, Set<Trick> tricks) {
        this.This.at(This);
        this.tricks = Set.copyOf(tricks);
    }

    // #region remember
    /** Each operation calls this first. */
    private void begin(ComputeThread ct) {
        if (head == RdmaPtr.NULL || !tricks.contains(Trick.REMEMBER)) {
            head = This.head.load(ct);
            tail = This.tail.load(ct);
        }
    }
    // #endregion remember

    // #region locate
    /**
     * Moves pred and curr to where the key belongs; returns whether curr has it, and reads its
     * next.
     */
    private boolean locate(long key, ComputeThread ct) {
        begin(ct);
        pred.at(head);
        curr.at(pred.next.loadUnmarked(ct));
        while (!curr.isAt(tail)) {
            look(ct);
            if (currKey >= key) {
                return currKey == key;
            }
            pred.at(curr);
            curr.at(RdmaPtr.unmarked(currNext));
        }
        return false;
    }
    // #endregion locate

    // #region look
    /** Reads curr. */
    private void look(ComputeThread ct) {
        if (tricks.contains(Trick.WHOLE_NODES)) {
            curr.fetch(ct); // one round trip
            currKey = curr.key.fetched();
            currNext = curr.next.fetched();
        } else {
            currKey = curr.key.load(ct); // two
            currNext = curr.next.load(ct);
        }
    }
    // #endregion look

    @Override
    public boolean contains(long key, ComputeThread ct) {
        return locate(key, ct) && !RdmaPtr.isMarked(currNext);
    }

    private boolean isValid(ComputeThread ct) {
        return pred.next.load(ct) == curr.pointer() && !RdmaPtr.isMarked(curr.next.load(ct));
    }

    // #region link
    /** Puts a new node between pred and curr, which are locked. */
    private void link(long key, ComputeThread ct) {
        fresh.allocate(ct);
        if (tricks.contains(Trick.CHAINS) && isBesidePred(fresh)) {
            fresh.key.stage(key, ct);
            fresh.next.stage(curr, ct);
            fresh.lock.stage(0, ct);
            pred.next.stage(fresh, ct);
            Sequence chain = ct.sequence();
            fresh.storeStagedIn(chain); // three words at once
            pred.next.storeStagedIn(chain); // then the link: who sees it sees the node
            chain.execute();
        } else {
            fresh.key.store(key, ct);
            fresh.next.store(curr, ct);
            fresh.lock.store(0, ct);
            pred.next.store(fresh, ct);
        }
    }

    /** Whether a node is on the same Memory Node as pred. */
    private boolean isBesidePred(Node node) {
        return RdmaPtr.node(node.pointer()) == RdmaPtr.node(pred.pointer());
    }
    // #endregion link

    // #region unlock
    private void unlock(ComputeThread ct) {
        release(curr, ct);
        release(pred, ct);
    }

    private void release(Node node, ComputeThread ct) {
        if (tricks.contains(Trick.CHAINS)) {
            ct.postFetchAndAdd(node.lock.pointer(), -1); // 1 becomes 0, some time soon
        } else {
            node.lock.fetchAdd(-1, ct);
        }
    }
    // #endregion unlock

    @Override
    public boolean insert(long key, ComputeThread ct) {
        while (true) {
            boolean found = locate(key, ct);
            pred.acquire(ct);
            curr.acquire(ct);
            boolean valid = isValid(ct);
            if (valid && !found) {
                link(key, ct);
            }
            unlock(ct);
            if (valid) {
                return !found;
            }
            ct.pause();
        }
    }

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
            unlock(ct);
            if (valid) {
                return found;
            }
            ct.pause();
        }
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        long size = 0;
        begin(ct);
        pred.at(head);
        curr.at(pred.next.load(ct));
        while (!curr.isAt(tail)) {
            long last = currKey;
            look(ct);
            if (size > 0 && last >= currKey) {
                throw new IllegalStateException(curr + ": its key is not above that of the node before");
            }
            size++;
            curr.at(currNext);
        }
        return size;
    }

    @Override
    public void destroy(ComputeThread ct) {
        begin(ct);
        curr.at(head);
        while (!curr.isAt(RdmaPtr.NULL)) {
            long next = curr.next.load(ct);
            curr.free(ct);
            curr.at(next);
        }
        This.free(ct);
    }
}
