package @PACKAGE@;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;
import dev.remus.record.RemoteRef;
import java.util.OptionalLong;

/**
 * A queue in remote memory: a linked list with a lock at each end, so that an enqueue and a dequeue never wait for each
 * other.
 *
 * <p><b>Promises.</b> Linearizable, first in first out; both operations block. <b>Linearization points.</b> Of
 * enqueue: the WRITE of the link to its node. Of dequeue: its READ of the link. <b>Death.</b> If a node is lost with
 * the lock of the front, the next thread in line gets it: a dequeue changes one word. If it is lost with the lock of
 * the end, its node may be linked while {@code last} is not, and every enqueue throws a {@link
 * dev.remus.lock.LostHolderException}. To go on instead, a thread would have to walk to the last node, and to lock the
 * front meanwhile, where nodes leave the list. An enqueue that is interrupted between its two WRITEs leaves the same
 * state, which nobody notices: interrupt no thread that may be inside. <b>Round trips.</b> Enqueue 8, dequeue 8, or 6
 * if it is empty, without contention. Now and then, a new block costs one more.
 *
 * <p><b>Memory.</b> The list begins with a node whose value has been dequeued. The next dequeue retires it: an enqueue
 * whose lane breaks may be about to repeat its WRITE there. It becomes free once each thread has called {@link
 * ComputeThread#quiescent} between two operations.
 *
 * <p>Source: the two-lock queue of Michael and Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent
 * Queue Algorithms", PODC 1996.
 */
public final class @CLASS@ {
    /** A node in remote memory; an object of this class is a view of it. */
    static final class Node extends RemoteRecord {
        final RemoteLong value = longField();
        final RemoteRef<Node> next = refField();
    }

    /** What all threads share: each end has a lock. */
    public static final class Shared extends RemoteRecord {
        final RemoteRef<Node> first = refField();
        final RemoteRef<Node> last = refField();
        final RemoteBytes firstLock;
        final RemoteBytes lastLock;

        Shared(ComputeThread ct) {
            firstLock = bytesField(RemoteLock.bytes(ct.threads()));
            lastLock = bytesField(RemoteLock.bytes(ct.threads()));
        }
    }

    private final Shared This; // data is distributed ...
    private final RemoteLock firstLock;
    private final RemoteLock lastLock;
    private final Node fresh = new Node(); // ... code is replicated: each thread has its own handle and views
    private final Node node = new Node();

    /** Creates an empty queue in remote memory: "New". One thread calls it once, and shares the pointer. */
    public static RdmaPtr<Shared> create(ComputeThread ct) {
        Node first = new Node();
        first.allocate(ct);
        first.next.store(RdmaPtr.NULL, ct);
        Shared shared = new Shared(ct);
        shared.allocate(ct);
        shared.first.store(first, ct);
        shared.last.store(first, ct);
        lock(shared.firstLock, ct).init(ct);
        lock(shared.lastLock, ct).init(ct);
        return new RdmaPtr<>(shared.pointer());
    }

    private static RemoteLock lock(RemoteBytes place, ComputeThread ct) {
        RemoteLock lock = new RemoteLock(ct.threads());
        lock.at(place.pointer());
        return lock;
    }

    /** Creates this thread's handle: "new". */
    public @CLASS@(RdmaPtr<Shared> This, ComputeThread ct) {
        this.This = new Shared(ct);
        this.This.at(This);
        firstLock = lock(this.This.firstLock, ct);
        lastLock = lock(this.This.lastLock, ct);
    }

    /** Adds a value at the end. */
    public void enqueue(long value, ComputeThread ct) {
        fresh.allocate(ct);
        fresh.value.stage(value, ct);
        fresh.next.stage(RdmaPtr.NULL, ct);
        fresh.storeStaged(ct); // placed when it returns: a thread that sees the link sees the node
        lastLock.acquireConsistent(ct);
        try {
            node.at(This.last.load(ct));
            link(node.next, ct);
            link(This.last, ct);
        } finally {
            lastLock.release(ct);
        }
    }

    /**
     * Stores a pointer to the new node; again, if the lane breaks: nothing of the first WRITE arrives later. If that
     * has taken effect, the node before may be out of the list already, but not free.
     */
    private void link(RemoteRef<Node> link, ComputeThread ct) {
        while (true) {
            try {
                link.store(fresh, ct);
                return;
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** Takes the value at the front; empty if there is none. */
    public OptionalLong dequeue(ComputeThread ct) {
        OptionalLong value = OptionalLong.empty();
        firstLock.acquire(ct);
        try {
            node.at(This.first.load(ct));
            long next = node.next.load(ct);
            if (next != RdmaPtr.NULL) {
                fresh.at(next);
                value = OptionalLong.of(fresh.value.load(ct));
                This.first.store(next, ct);
            }
        } finally {
            firstLock.release(ct);
        }
        if (value.isPresent()) {
            node.schedReclaim(ct);
        }
        return value;
    }
}
