// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.lock.Acquisition;
import dev.remus.lock.LeaderSlot;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** A thread's handle to a {@link LeaderSlot}, used as a lock: its leader holds it. */
final class LeaderHandle implements LockHandle {
    private final LeaderSlot slot;

    LeaderHandle(RdmaPtr<?> pointer, ComputeThread ct) {
        slot = new LeaderSlot(new RdmaPtr<>(pointer.raw()));
    }

    @Override
    public Acquisition acquire(ComputeThread ct) {
        return tryAcquire(Long.MAX_VALUE, ct);
    }

    @Override
    public Acquisition tryAcquire(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        while (!slot.tryLead(ct)) {
            if (ct.nanoTime() - start >= nanos) {
                return Acquisition.TIMED_OUT;
            }
            ct.pause();
        }
        return Acquisition.NORMAL;
    }

    /** A slot does not report the death of a leader. */
    @Override
    public void makeConsistent() {}

    @Override
    public void release(ComputeThread ct) {
        slot.resign(ct);
    }

    @Override
    public long ticket() {
        return slot.term();
    }
}
