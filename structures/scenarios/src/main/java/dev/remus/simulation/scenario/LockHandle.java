// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.lock.Acquisition;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.Set;

/** A thread's handle to the lock that a scenario tests. */
public interface LockHandle {
    /** Takes the lock. */
    Acquisition acquire(ComputeThread ct);

    /** Takes the lock, or fails if a holder was lost. */
    default void acquireConsistent(ComputeThread ct) {
        acquire(ct);
    }

    /** Takes the lock if that is possible in time. */
    Acquisition tryAcquire(long nanos, ComputeThread ct);

    /** Declares consistent what the lock protects. */
    void makeConsistent();

    /** Releases it. */
    void release(ComputeThread ct);

    /** A number by which the lock's holders are ordered. */
    long ticket();

    /** Whether every ticket that is drawn is held or given up, as long as no thread is lost. */
    default boolean keepsTickets() {
        return true;
    }

    /** Whether a waiter that the holder knows to be lost is never taken for a holder that died. */
    default boolean tellsLostWaiters() {
        return true;
    }

    /** Longer than it takes until a ticket is passed by that no thread knows, since a lane broke as it was drawn. */
    long OVERDUE_NANOS = 1_000_000_000;

    /**
     * Fails if the lock is not free, or has lost a ticket against its promise. Called when no thread uses the lock any
     * more.
     *
     * @param tickets those that were held or given up
     */
    default void checkFree(Set<Long> tickets, ComputeThread ct) {}

    /** Makes a lock in remote memory. */
    @FunctionalInterface
    interface Creator {
        /** Makes a lock that is free. */
        RdmaPtr<?> create(ComputeThread ct);
    }

    /** Makes handles. */
    @FunctionalInterface
    interface Opener {
        /** Makes a thread's handle to a lock that the creator made. */
        LockHandle open(RdmaPtr<?> lock, ComputeThread ct);
    }
}
