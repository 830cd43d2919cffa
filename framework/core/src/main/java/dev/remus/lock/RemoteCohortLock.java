// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockKind;
import dev.remus.node.NodeLock;
import dev.remus.node.NodeObjects;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteRecord;
import org.jspecify.annotations.Nullable;

/**
 * A lock in remote memory that prefers the threads of one node for a while: they pass it on among themselves without a
 * round trip, up to {@link #MOST_TURNS} turns in a row.
 *
 * <pre>
 *   node 2                       node 3                      remote memory
 *   thread 0   holds   --+       thread 4   waits   --+      +-----------------+
 *   thread 1   waits     |       thread 5   waits     |      | RemoteQueueLock |
 *   thread 2   waits     |                            |      +-----------------+
 *              NodeLock -+                  NodeLock -+        7: node 2 holds, 8: node 3 waits
 * </pre>
 *
 * <p>It is used like a {@link RemoteLock}, with the same results, and pays where several threads of a node want one
 * lock at the same time.
 *
 * <p><b>Promises.</b> Mutual exclusion: everything that the holder has written or posted to remote memory, on any
 * Memory Node, is placed before the next holder has the lock. Fairness: the threads of a node get the lock in the order
 * in which they asked, and the nodes in the order of their tickets, as in a {@link RemoteQueueLock}; a node keeps it
 * for {@link #MOST_TURNS} turns at most while others wait. {@link #acquire} blocks. {@link #tryAcquire} gives up when
 * its time is over. {@link #release} is wait-free. The lock is not reentrant: acquiring it twice is reported.
 *
 * <p><b>Death.</b> The threads of a node are lost together. Otherwise as of a {@code RemoteQueueLock}: the next node in
 * line gets the lock, and {@link Acquisition#HOLDER_DIED}, and so does each holder after it, until one has called
 * {@link #makeConsistent} and released the lock.
 *
 * <p><b>Broken lanes and exceptions.</b> As of a {@code RemoteQueueLock}; passing the lock on within a node uses no
 * lane. A thread that is interrupted as its turn comes from another thread of its node has the lock.
 *
 * <p><b>Round trips.</b> None if the lock comes from a thread of this node. Otherwise as of a {@code RemoteQueueLock}:
 * 2 to acquire and 1 to release, and those of the polls.
 *
 * <p>Source: Dice, Marathe and Shavit, "Lock Cohorting: A General Technique for Designing NUMA Locks", PPoPP 2012.
 */
public final class RemoteCohortLock extends RemoteRecord {
    /** So many threads of one node get the lock in a row, at most, while others wait. */
    public static final int MOST_TURNS = 16;

    private final RemoteBytes bytes;
    private final RemoteQueueLock nodes;

    /** The lock's state on this node, of the lock at {@link #cohortAt}. */
    private @Nullable Cohort cohort;

    private long cohortAt;
    private NodeLock.@Nullable Waiter waiter;
    private long ticket;

    /** What the threads of one node share of one lock; only the one whose turn it is uses it. */
    private static final class Cohort {
        private final NodeLock line = new NodeLock();
        private final QueueHolding kept = new QueueHolding();

        /** How many threads have held the lock since the node has it. */
        private int turns;
    }

    private record Key(long pointer) {}

    /** @param threads the number of threads of the cluster ({@link ComputeThread#threads}) */
    public RemoteCohortLock(int threads) {
        bytes = bytesField(bytes(threads));
        nodes = new RemoteQueueLock(threads);
    }

    /** Size of a lock, for records that contain one. */
    public static int bytes(int threads) {
        return RemoteQueueLock.bytes(threads);
    }

    /** Makes it a free lock. To be called once, before another thread can reach it. One round trip. */
    public void init(ComputeThread ct) {
        nodes().init(ct);
    }

    /** The queue of the nodes, of the lock to which this view was moved. */
    private RemoteQueueLock nodes() {
        nodes.at(bytes.pointer());
        return nodes;
    }

    private Cohort cohort(ComputeThread ct) {
        Cohort known = cohort;
        if (known == null || cohortAt != pointer()) {
            known = NodeObjects.of(ct, new Key(pointer()), Cohort.class, Cohort::new);
            cohort = known;
            cohortAt = pointer();
        }
        return known;
    }

    private NodeLock.Waiter waiter(ComputeThread ct) {
        NodeLock.Waiter own = waiter;
        if (own == null) {
            own = new NodeLock.Waiter(ct);
            waiter = own;
        }
        return own;
    }

    /**
     * Acquires the lock, when it is this thread's turn.
     *
     * @return {@link Acquisition#NORMAL} or {@link Acquisition#HOLDER_DIED}
     * @throws OutcomeUnknownException if something that this thread posted before may be lost; then it has not begun
     * @throws FabricException if the thread is interrupted, or a lane cannot be connected; then it leaves the line
     * @throws LostHolderException if a thread before this one is lost, and was not cut off within the loss time-out
     * @throws IllegalStateException if this thread holds the lock already
     */
    public Acquisition acquire(ComputeThread ct) {
        return tryAcquire(Long.MAX_VALUE, ct);
    }

    /**
     * Acquires the lock for a structure that cannot repair its data. If a holder died, throws, and leaves the lock to
     * the other threads, which get the same exception in turn.
     *
     * @throws LostHolderException if a holder was lost
     * @throws OutcomeUnknownException as {@link #acquire}
     * @throws IllegalStateException as {@link #acquire}
     */
    public void acquireConsistent(ComputeThread ct) {
        if (acquire(ct) == Acquisition.HOLDER_DIED) {
            int thread = nodes.holding().lostThread();
            passOn(ct);
            throw LostHolderException.halfChanged(toString(), thread, ct.peers().nodeOf(thread));
        }
    }

    /**
     * Acquires the lock if it is this thread's turn in time.
     *
     * @param nanos how long to wait; 0 or less polls once
     * @return {@link Acquisition#TIMED_OUT} if it was not its turn in time, otherwise as {@link #acquire}
     * @throws OutcomeUnknownException as {@link #acquire}
     * @throws LostHolderException as {@link #acquire}
     * @throws IllegalStateException as {@link #acquire}
     */
    public Acquisition tryAcquire(long nanos, ComputeThread ct) {
        if (nodes.holding().isKept() || ct.locks().contains(pointer())) {
            throw new IllegalStateException(ct + " acquires the " + this
                    + ", and holds it already, or another one through the same view: a lock is not reentrant");
        }
        ct.place(); // or a loss would be noticed, and not reported, by what follows
        long start = ct.nanoTime();
        Cohort ours = cohort(ct);
        ct.locks().startWaiting(pointer(), LockKind.QUEUE);
        boolean isFirst = false;
        Acquisition acquisition = Acquisition.TIMED_OUT;
        try {
            isFirst = ours.line.tryAcquire(waiter(ct), nanos);
            if (isFirst) {
                acquisition = ours.kept.isKept()
                        ? nodes().holding().takeOver(ours.kept, ct)
                        : nodes().tryAcquire(left(nanos, start, ct), ct);
            }
        } finally {
            ct.locks().stopWaiting();
            if (isFirst && !acquisition.isHeld()) {
                ours.line.release();
            }
        }
        if (acquisition.isHeld()) {
            ticket = nodes.holding().ticket() * MOST_TURNS + ours.turns;
        }
        return acquisition;
    }

    private static long left(long nanos, long start, ComputeThread ct) {
        return nanos == Long.MAX_VALUE ? nanos : nanos - (ct.nanoTime() - start);
    }

    /**
     * Declares that what the lock protects is consistent, after {@link Acquisition#HOLDER_DIED}: later holders get
     * {@link Acquisition#NORMAL} again.
     *
     * @throws IllegalStateException if this thread does not hold the lock, or not through this view
     */
    public void makeConsistent() {
        nodes().makeConsistent();
    }

    /**
     * Releases the lock: the next thread of this node gets it, or the next node in line finds that it has it.
     *
     * @throws OutcomeUnknownException if something that this thread posted may be lost. It still holds the lock, and
     *     can post that again and release the lock then.
     * @throws FabricException if what it posted cannot be placed now; it still holds the lock
     * @throws IllegalStateException if this thread does not hold the lock, or not through this view
     */
    public void release(ComputeThread ct) {
        if (!nodes().isHeldHere()) {
            throw new IllegalStateException(
                    ct + " releases the " + this + ", which it has not acquired through this view");
        }
        ct.place(); // the next holder may read on another lane
        passOn(ct);
    }

    private void passOn(ComputeThread ct) {
        Cohort ours = cohort(ct);
        if (ours.turns < MOST_TURNS - 1) {
            ours.turns++;
            nodes.holding().handOver(ours.kept, ct);
            if (ours.line.passOn()) {
                return;
            }
            nodes.holding().takeOver(ours.kept, ct);
        }
        ours.turns = 0;
        try {
            nodes.passOn(ct);
        } finally {
            ours.line.release(); // also if the Memory Node is lost: each waiter learns that for itself
        }
    }

    /**
     * A number by which the holders of this lock are ordered: that of a later holder is larger. So it can serve as a
     * fencing token.
     *
     */
    public long ticket() {
        return ticket;
    }
}
