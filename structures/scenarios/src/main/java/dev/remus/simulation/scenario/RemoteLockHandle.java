package dev.remus.simulation.scenario;

import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** A thread's handle to a {@link RemoteLock}. */
final class RemoteLockHandle implements LockHandle {
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
}
