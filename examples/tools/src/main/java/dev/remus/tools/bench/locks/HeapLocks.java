// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import dev.remus.node.ComputeThread;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/** A lock of Java, for the threads of one process: the bound for locks in remote memory. */
final class HeapLocks implements ContestedLock {
    private final Lock readers;
    private final Lock writers;

    private HeapLocks(Lock readers, Lock writers) {
        this.readers = readers;
        this.writers = writers;
    }

    /** A fair {@link ReentrantLock}. */
    static ContestedLock reentrant() {
        Lock lock = new ReentrantLock(true);
        return new HeapLocks(lock, lock);
    }

    /** A {@link StampedLock}. */
    static ContestedLock stamped() {
        ReadWriteLock lock = new StampedLock().asReadWriteLock();
        return new HeapLocks(lock.readLock(), lock.writeLock());
    }

    @Override
    public User open(ComputeThread ct) {
        return new User() {
            @Override
            public void acquire(boolean reads) {
                lock(reads).lock();
            }

            @Override
            public void release(boolean reads) {
                lock(reads).unlock();
            }
        };
    }

    private Lock lock(boolean reads) {
        return reads ? readers : writers;
    }
}
