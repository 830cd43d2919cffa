// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.lock.Acquisition;
import dev.remus.lock.LockState;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import java.util.Optional;
import java.util.Set;

/** A thread's handle to a {@link RemoteLock}. */
final class RemoteLockHandle implements MovableLockHandle {
    private final RemoteLock lock;

    RemoteLockHandle(RdmaPtr<?> pointer, ComputeThread ct) {
        lock = new RemoteLock(ct.threads());
        lock.at(pointer);
    }

    static RdmaPtr<?> create(ComputeThread ct) {
        RemoteLock lock = new RemoteLock(ct.threads());
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

    @Override
    public void checkFree(Set<Long> tickets, ComputeThread ct) {
        long[] state = new long[RemoteLock.bytes(ct.threads()) / Long.BYTES];
        for (int i = 0; i < state.length; i++) {
            state[i] = ct.read(lock.pointer() + (long) i * Long.BYTES);
        }
        Optional<LockState> free = RemoteLock.state(state);
        if (free.isEmpty()
                || free.get().holder().isPresent()
                || !free.get().waiters().isEmpty()) {
            throw new AssertionError("the lock is not free: " + free);
        }
        if (tickets.size() != state[0]) {
            throw new AssertionError(state[0] + " tickets were drawn, but only " + tickets + " were held or given up");
        }
    }
}
