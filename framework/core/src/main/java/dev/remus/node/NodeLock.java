// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.InterruptedWaitException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A fair lock in local memory for the Compute Threads of one node, as a part of a lock in remote memory. It costs no
 * round trip. What a thread has written to remote memory must be placed before it releases the lock: then the next
 * holder reads it, whatever its lane.
 *
 * <p>A waiter spins for a short time and then sleeps until it is woken. It is a thread of the simulator there. Nothing
 * is awaited while a monitor is held, so virtual threads keep no carrier busy.
 */
public final class NodeLock {
    private final ArrayDeque<Waiter> line = new ArrayDeque<>();
    private boolean isTaken;

    /** Makes a free lock, to be shared by the threads of a node ({@link NodeObjects}). */
    public NodeLock() {}

    /** One thread's place in the line; reused from wait to wait. */
    public static final class Waiter {
        /** A waiter notices a loss that ends the run several times a second. */
        private static final long LONGEST_NANOS = 33_000_000;

        private final ThreadOwner owner;
        private final ThreadBackoff backoff;
        private final Environment environment;
        private final Environment.Pauses pauses;
        private Environment.@Nullable Task self;
        private volatile boolean hasTurn;

        /** Makes the place of a thread, which waits for one lock at a time. */
        public Waiter(ComputeThread ct) {
            owner = ct.parts.owner;
            backoff = ct.parts.backoff;
            environment = ct.parts.environment;
            pauses = environment.newPauses();
        }

        private void begin() {
            hasTurn = false;
            self = owner.task(environment);
        }

        private void beginTurn() {
            hasTurn = true;
            Environment.Task waiting = self;
            if (waiting != null) {
                waiting.wake();
            }
        }

        /** Waits for the turn, for so long at most; returns whether it has come. */
        private boolean await(long nanos) {
            long start = environment.nanoTime();
            for (int attempt = 0; !hasTurn; attempt++) {
                backoff.check();
                long left = nanos == Long.MAX_VALUE ? nanos : nanos - (environment.nanoTime() - start);
                if (left <= 0) {
                    return false;
                } else if (!pauses.spin(attempt)) {
                    sleep(Math.min(left, LONGEST_NANOS));
                }
            }
            return true;
        }

        private void sleep(long nanos) {
            environment.sleep(nanos);
            Environment.Task me = self;
            if (me != null && me.isInterrupted()) {
                throw new InterruptedWaitException("the thread was interrupted while it waited for a lock");
            }
        }
    }

    /**
     * Acquires the lock if this thread's turn comes in time. Threads get it in the order in which they asked.
     *
     * @param me the calling thread's place
     * @param nanos how long to wait at most; {@link Long#MAX_VALUE} for no limit
     * @throws FabricException if the run is over, or the thread is interrupted, before its turn comes
     */
    public boolean tryAcquire(Waiter me, long nanos) {
        synchronized (this) {
            if (!isTaken) {
                isTaken = true;
                return true;
            }
            me.begin();
            line.add(me);
        }
        try {
            return me.await(nanos) || !isWithdrawn(me);
        } catch (RuntimeException e) {
            if (isWithdrawn(me)) {
                throw e;
            }
            return true; // the thread before may have passed on something with the turn, which this one must not drop
        }
    }

    /** Takes a waiter out of the line; false if it has got its turn meanwhile. */
    private synchronized boolean isWithdrawn(Waiter me) {
        return line.remove(me);
    }

    /** The number of threads that wait. */
    synchronized int waiting() {
        return line.size();
    }

    /** Passes the lock to the thread that has waited longest; false if none waits, and then this thread keeps it. */
    public boolean passOn() {
        Waiter next;
        synchronized (this) {
            next = line.poll();
        }
        if (next == null) {
            return false;
        }
        next.beginTurn();
        return true;
    }

    /** Releases the lock: the thread that has waited longest gets it, if any waits. */
    public void release() {
        Waiter next;
        synchronized (this) {
            next = line.poll();
            isTaken = next != null;
        }
        if (next != null) {
            next.beginTurn();
        }
    }
}
