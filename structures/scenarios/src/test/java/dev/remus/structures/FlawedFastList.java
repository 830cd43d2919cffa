// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.node.ValidatedReads;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import java.util.HashMap;
import java.util.Map;

/** A flawed fast lazy list, whose mistakes the simulator must find. Without a mistake it is right, and simple. */
final class FlawedFastList implements RemoteLongSet {
    /** The mistakes. */
    enum Flaw {
        /** None. */
        NONE,
        /** A search continues from a cached node without reading it again. */
        CACHED_NODE_NOT_VALIDATED,
        /** A reused block passes for the node of the copy, as its stamp is not compared. */
        CACHE_NOT_CHECKED,
        /** A new node is linked from another Memory Node before it is placed. */
        UNPLACED_NODE_LINKED_ACROSS_MEMORY_NODES,
        /** In the chain, the link comes before the node that it leads to. */
        LINK_BEFORE_NODE,
        /** After locking, a thread does not check that the nodes are still neighbours. */
        NO_LOOK_BEHIND_THE_LOCK,
        /** The lock is released before the guarded WRITEs are placed. */
        RELEASED_BEFORE_PLACED,
        /** A remove locks the predecessor only, so another thread may insert behind the node meanwhile. */
        REMOVE_WITH_ONE_LOCK
    }

    private static final class Node extends RemoteRecord {
        private final RemoteLong key = immutable(longField());
        private final RemoteRef<Node> next = refField();
        private final RemoteLong lock;

        private Node() {
            stampField();
            lock = longField();
        }
    }

    /** The data that all handles share. */
    private static final class Shared extends RemoteRecord {
        private final RemoteRef<Node> head = immutable(refField());
        private final RemoteRef<Node> tail = immutable(refField());
    }

    private final Shared This = new Shared();
    private final Flaw flaw;
    private final Node fresh = new Node();
    private final Map<Long, long[]> cache = new HashMap<>(); // key, next and stamp, by pointer
    private final ValidatedReads reads = new ValidatedReads();
    private Node pred = new Node();
    private Node curr = new Node();
    private LocalBuffer result;
    private long head;
    private long tail;

    static RdmaPtr<?> create(ComputeThread ct) {
        Node tail = new Node();
        tail.allocate(ct);
        tail.key.stage(0, ct);
        tail.stageStamp(ct);
        tail.storeStaged(ct);
        Node head = new Node();
        head.allocate(ct);
        head.key.stage(0, ct);
        head.next.stage(tail, ct);
        head.stageStamp(ct);
        head.storeStaged(ct);
        Shared shared = new Shared();
        shared.allocate(ct);
        shared.head.stage(head, ct);
        shared.tail.stage(tail, ct);
        shared.storeStaged(ct);
        return new RdmaPtr<>(shared.pointer());
    }

    FlawedFastList(RdmaPtr<?> This, Flaw flaw) {
        this.This.at(This);
        this.flaw = flaw;
    }

    private boolean search(long key, ComputeThread ct) {
        if (result == null) {
            result = ct.allocateLocal(Long.BYTES);
            This.fetch(ct);
            head = This.head.fetched();
            tail = This.tail.fetched();
        }
        startNear(key, ct);
        while (!curr.isAt(tail)) {
            curr.fetch(ct);
            remember(curr);
            if (curr.key.fetched() >= key) {
                return curr.key.fetched() == key;
            }
            Node free = pred;
            pred = curr;
            curr = free;
            curr.at(RdmaPtr.unmarked(pred.next.fetched()));
        }
        return false;
    }

    private void startNear(long key, ComputeThread ct) {
        long at = head;
        long next = cache.containsKey(at) ? cache.get(at)[1] : tail;
        // With copies of reused nodes, links may form circles.
        for (int i = cache.size(); i > 0 && next != tail && cache.containsKey(next) && cache.get(next)[0] < key; i--) {
            at = next;
            next = cache.get(at)[1];
        }
        pred.at(at);
        if (flaw == Flaw.CACHED_NODE_NOT_VALIDATED && at != head) {
            curr.at(next);
            return;
        }
        reads.begin(ct);
        try (reads) {
            pred.fetch(ct);
        }
        if (at != head && (RdmaPtr.isMarked(pred.next.fetched()) || !isSame(pred))) {
            cache.remove(at);
            pred.at(head);
            pred.fetch(ct);
        }
        remember(pred);
        curr.at(pred.next.fetched());
    }

    private boolean isSame(Node node) {
        return flaw == Flaw.CACHE_NOT_CHECKED || stamp(node) == cache.get(node.pointer())[2];
    }

    private static long stamp(Node node) {
        return node.copy().getLong(node.stampOffset());
    }

    private void remember(Node node) {
        if (RdmaPtr.isMarked(node.next.fetched()) || stamp(node) == 0) {
            cache.remove(node.pointer());
        } else {
            cache.put(node.pointer(), new long[] {node.key.fetched(), node.next.fetched(), stamp(node)});
        }
    }

    @Override
    public boolean contains(long key, ComputeThread ct) {
        return search(key, ct) && !RdmaPtr.isMarked(curr.next.fetched());
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        while (!contains(key, ct)) {
            acquire(pred, ct);
            boolean valid = isFollowed();
            if (valid) {
                link(key, ct);
            }
            release(pred, ct);
            if (valid) {
                return true;
            }
            cache.remove(pred.pointer());
            ct.pause();
        }
        return false;
    }

    private void link(long key, ComputeThread ct) {
        fresh.allocate(ct);
        fresh.key.stage(key, ct);
        fresh.next.stage(curr, ct);
        fresh.stageStamp(ct);
        fresh.lock.stage(0, ct);
        pred.next.stage(fresh, ct);
        boolean together = RdmaPtr.node(fresh.pointer()) == RdmaPtr.node(pred.pointer());
        if (!together && flaw == Flaw.UNPLACED_NODE_LINKED_ACROSS_MEMORY_NODES) {
            Sequence sequence = ct.sequence();
            fresh.storeStagedIn(sequence);
            sequence.post();
        } else if (!together) {
            fresh.storeStaged(ct);
        }
        Sequence sequence = ct.sequence();
        if (together && flaw != Flaw.LINK_BEFORE_NODE) {
            fresh.storeStagedIn(sequence);
        }
        pred.next.storeStagedIn(sequence);
        if (together && flaw == Flaw.LINK_BEFORE_NODE) {
            fresh.storeStagedIn(sequence);
        }
        finish(sequence);
    }

    private void finish(Sequence sequence) {
        if (flaw == Flaw.RELEASED_BEFORE_PLACED) {
            sequence.post();
        } else {
            sequence.execute();
        }
    }

    @Override
    public boolean remove(long key, ComputeThread ct) {
        while (contains(key, ct)) {
            acquire(pred, ct);
            boolean valid = isFollowed();
            if (valid && flaw == Flaw.REMOVE_WITH_ONE_LOCK) {
                unlink(ct);
            } else if (valid) {
                acquire(curr, ct);
                unlink(ct);
                release(curr, ct);
            }
            release(pred, ct);
            if (valid) {
                curr.schedReclaim(ct);
                return true;
            }
            cache.remove(pred.pointer());
            ct.pause();
        }
        return false;
    }

    private void unlink(ComputeThread ct) {
        long next = RdmaPtr.unmarked(curr.next.fetched());
        pred.next.stage(next, ct);
        curr.next.stage(RdmaPtr.marked(next), ct);
        curr.stageErasedStamp(ct);
        Sequence sequence = ct.sequence();
        curr.next.storeStagedWithStampIn(sequence);
        finish(sequence);
        sequence = ct.sequence();
        pred.next.storeStagedIn(sequence);
        finish(sequence);
    }

    private boolean isFollowed() {
        return flaw == Flaw.NO_LOOK_BEHIND_THE_LOCK || pred.next.fetched() == curr.pointer();
    }

    private void acquire(Node node, ComputeThread ct) {
        while (true) {
            Sequence sequence = ct.sequence().compareAndSwap(node.lock.pointer(), 0, ct.id() + 1L, result, 0);
            node.fetchIn(sequence, ct);
            sequence.execute();
            if (result.getLong(0) == 0) {
                return;
            }
            ct.pause();
        }
    }

    private static void release(Node node, ComputeThread ct) {
        ct.postFetchAndAdd(node.lock.pointer(), -(ct.id() + 1L));
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        search(Long.MIN_VALUE, ct);
        long size = 0;
        pred.at(head);
        for (pred.at(pred.next.load(ct)); !pred.isAt(tail); pred.at(pred.next.load(ct))) {
            size++;
        }
        return size;
    }

    @Override
    public void destroy(ComputeThread ct) {}
}
