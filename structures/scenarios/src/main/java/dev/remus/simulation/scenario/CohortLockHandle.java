// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteCohortLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.Set;

/** A thread's handle to a {@link RemoteCohortLock}. */
final class CohortLockHandle implements MovableLockHandle {
    private final RemoteCohortLock lock;

    CohortLockHandle(RdmaPtr<?> pointer, ComputeThread ct) {
        lock = new RemoteCohortLock(ct.threads());
        lock.at(pointer);
    }

    static RdmaPtr<?> create(ComputeThread ct) {
        RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
        lock.allocate(ct);
        lock.init(ct);
        return new RdmaPtr<>(lock.pointer());
    }

    @Override
    public void at(RdmaPtr<?> other) {
        lock.at(other);
    }

    @Override
    public void free(ComputeThread ct) {
        lock.free(ct);
    }

    @Override
    public Acquisition acquire(ComputeThread ct) {
        return lock.acquire(ct);
    }

    @Override
    public void acquireConsistent(ComputeThread ct) {
        lock.acquireConsistent(ct);
    }

    @Override
    public Acquisition tryAcquire(long nanos, ComputeThread ct) {
        return lock.tryAcquire(nanos, ct);
    }

    @Override
    public void makeConsistent() {
        lock.makeConsistent();
    }

    @Override
    public void release(ComputeThread ct) {
        lock.release(ct);
    }

    @Override
    public long ticket() {
        return lock.ticket();
    }

    /** A ticket whose owner is slow to claim it, or does not know its number, is passed by. */
    @Override
    public boolean keepsTickets() {
        return false;
    }

    /** The holder does not look at the tickets behind its own. */
    @Override
    public boolean tellsLostWaiters() {
        return false;
    }

    @Override
    public void checkFree(Set<Long> tickets, ComputeThread ct) {
        if (!lock.tryAcquire(OVERDUE_NANOS, ct).isHeld()) {
            throw new AssertionError("the lock is not free when no thread uses it");
        }
        lock.release(ct);
    }
}
