// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteReadWriteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** A thread's handle to the lock for readers and writers that a scenario tests. */
public interface ReadWriteHandle {
    /** Takes the lock as a reader or writer, if that is possible in time. */
    Acquisition tryAcquire(boolean writes, long nanos, ComputeThread ct);

    /** Declares consistent what the lock protects, as a writer. */
    void makeConsistent();

    /** Releases the lock. */
    void release(boolean writes, ComputeThread ct);

    /** Makes a {@link RemoteReadWriteLock}. */
    static RdmaPtr<?> create(ComputeThread ct) {
        RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
        lock.allocate(ct);
        lock.init(ct);
        return new RdmaPtr<>(lock.pointer());
    }

    /** Makes a handle to a {@link RemoteReadWriteLock}. */
    static ReadWriteHandle open(RdmaPtr<?> pointer, ComputeThread ct) {
        RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
        lock.at(pointer);
        return new ReadWriteHandle() {
            @Override
            public Acquisition tryAcquire(boolean writes, long nanos, ComputeThread ct) {
                return writes ? lock.tryAcquireWrite(nanos, ct) : lock.tryAcquireRead(nanos, ct);
            }

            @Override
            public void makeConsistent() {
                lock.makeConsistent();
            }

            @Override
            public void release(boolean writes, ComputeThread ct) {
                if (writes) {
                    lock.releaseWrite(ct);
                } else {
                    lock.releaseRead(ct);
                }
            }
        };
    }

    /** A handle to a lock without readers. */
    static ReadWriteHandle writer(LockHandle lock) {
        return new ReadWriteHandle() {
            @Override
            public Acquisition tryAcquire(boolean writes, long nanos, ComputeThread ct) {
                return nanos == Long.MAX_VALUE ? lock.acquire(ct) : lock.tryAcquire(nanos, ct);
            }

            @Override
            public void makeConsistent() {
                lock.makeConsistent();
            }

            @Override
            public void release(boolean writes, ComputeThread ct) {
                lock.release(ct);
            }
        };
    }

    /** Makes handles. */
    @FunctionalInterface
    interface Opener {
        /** Makes a thread's handle to a lock that the creator made. */
        ReadWriteHandle open(RdmaPtr<?> lock, ComputeThread ct);
    }
}
