package @PACKAGE@;

import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;

/**
 * A set of numbers in remote memory: a sorted list with one lock for all updates.
 *
 * <p><b>Promises.</b> Linearizable. {@link #contains} is wait-free; {@link #insert} and {@link #remove} block.
 * <b>Linearization points.</b> Of insert and remove: the WRITE of the link, or any moment while the lock is held if
 * nothing changes. Of contains: the READ of the last link; if its node has been removed meanwhile, the moment before
 * that, when the link had its last value. <b>Death.</b> If a node is lost with the lock, the next thread in line gets
 * it. An update changes one link, so nothing is half done, and the result of {@link RemoteLock#acquire} does not
 * matter. <b>Round trips.</b> With v nodes visited: contains 1 + v; insert 7 + v; remove 6 + v, without contention. A
 * new block costs more than one that is reused.
 *
 * <p><b>Memory.</b> A removed node keeps its link, since contains may be there. It is retired, and becomes free once
 * each thread has called {@link ComputeThread#quiescent} between two operations.
 */
public final class @CLASS@ {
    /** A node in remote memory; an object of this class is a view of it. */
    static final class Node extends RemoteRecord {
        final RemoteLong key = longField();
        final RemoteRef<Node> next = refField();
    }

    /** What all threads share. */
    public static final class Shared extends RemoteRecord {
        final RemoteRef<Node> first = refField();
        final RemoteBytes lock;

        Shared(ComputeThread ct) {
            lock = bytesField(RemoteLock.bytes(ct.threads()));
        }
    }

    private final Shared This; // data is distributed ...
    private final RemoteLock lock;
    private final Node fresh = new Node(); // ... code is replicated: each thread has its own handle and views
    private Node before = new Node();
    private Node node = new Node();

    /** Creates an empty set in remote memory: "New". One thread calls it once, and shares the pointer. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Shared shared = new Shared(ct);
        shared.allocate(ct);
        shared.first.store(RdmaPtr.NULL, ct);
        RemoteLock lock = new RemoteLock(ct.threads());
        lock.at(shared.lock.pointer());
        lock.init(ct);
        return new RdmaPtr<>(shared.pointer());
    }

    /** Creates this thread's handle: "new". */
    public @CLASS@(RdmaPtr<Shared> This, ComputeThread ct) {
        this.This = new Shared(ct);
        this.This.at(This);
        lock = new RemoteLock(ct.threads());
        lock.at(this.This.lock.pointer());
    }

    /** Whether the set has the key. */
    public boolean contains(long key, ComputeThread ct) {
        return find(key, ct);
    }

    /** Inserts the key; returns false if it was there. */
    public boolean insert(long key, ComputeThread ct) {
        lock.acquire(ct);
        try {
            if (find(key, ct)) {
                return false;
            }
            fresh.allocate(ct);
            fresh.key.stage(key, ct);
            fresh.next.stage(node, ct);
            fresh.storeStaged(ct); // placed when it returns: a thread that sees the link sees the node
            link(fresh.pointer(), ct);
            return true;
        } finally {
            lock.release(ct);
        }
    }

    /** Removes the key; returns false if it was not there. */
    public boolean remove(long key, ComputeThread ct) {
        lock.acquire(ct);
        try {
            if (!find(key, ct)) {
                return false;
            }
            link(node.next.fetched(), ct);
            node.schedReclaim(ct);
            return true;
        } finally {
            lock.release(ct);
        }
    }

    /** Moves {@code node} to the first node with this key or a larger one, or to null, and {@code before} before it. */
    private boolean find(long key, ComputeThread ct) {
        before.at(RdmaPtr.NULL);
        node.at(This.first.load(ct));
        while (node.pointer() != RdmaPtr.NULL) {
            node.fetch(ct); // both fields in one round trip
            if (node.key.fetched() >= key) {
                return node.key.fetched() == key;
            }
            Node passed = before;
            before = node;
            node = passed;
            node.at(before.next.fetched());
        }
        return false;
    }

    /** Changes the link to {@code node}. */
    private void link(long target, ComputeThread ct) {
        RemoteRef<Node> link = before.pointer() == RdmaPtr.NULL ? This.first : before.next;
        link.store(target, ct);
    }
}
