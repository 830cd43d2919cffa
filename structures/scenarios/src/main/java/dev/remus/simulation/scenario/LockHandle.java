package dev.remus.simulation.scenario;

import dev.remus.lock.Acquisition;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

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
