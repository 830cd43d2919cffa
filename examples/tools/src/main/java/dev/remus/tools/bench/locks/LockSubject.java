// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import java.io.IOException;
import java.util.Locale;

/** The locks that are measured. */
enum LockSubject {
    /** {@link dev.remus.lock.RemoteLock}. */
    LOCK(true, false, RemoteLocks::lock),
    /** {@link dev.remus.lock.RemoteQueueLock}. */
    QUEUELOCK(true, false, RemoteLocks::queueLock),
    /** {@link dev.remus.lock.RemoteCohortLock}. */
    COHORTLOCK(true, false, RemoteLocks::cohortLock),
    /** {@link dev.remus.lock.RemoteReadWriteLock}, with writers only. */
    RWLOCK(true, false, RemoteLocks::readWriteLock),
    /** {@link dev.remus.lock.RemoteReadWriteLock}, with mostly readers. */
    RWLOCK_READ(true, true, RemoteLocks::readWriteLock),
    /** A fair {@link java.util.concurrent.locks.ReentrantLock}. */
    REENTRANT(false, false, HeapLocks::reentrant),
    /** {@link java.util.concurrent.locks.StampedLock} with mostly readers. */
    STAMPED_READ(false, true, HeapLocks::stamped),
    /** {@link RedisLock}. */
    REDIS(false, false, RedisLock::start);

    /** Of so many acquisitions of a lock with readers, one is that of a writer. */
    static final int ACQUISITIONS_PER_WRITER = 10;

    @FunctionalInterface
    private interface Starter {
        ContestedLock start() throws IOException, InterruptedException;
    }

    private final boolean isRemote;
    private final boolean hasReaders;
    private final Starter starter;

    LockSubject(boolean isRemote, boolean hasReaders, Starter starter) {
        this.isRemote = isRemote;
        this.hasReaders = hasReaders;
        this.starter = starter;
    }

    /** Makes such a lock. */
    ContestedLock start() throws IOException, InterruptedException {
        return starter.start();
    }

    /** Whether it is in remote memory: the others cannot be measured on the model. */
    boolean isRemote() {
        return isRemote;
    }

    /** Whether an acquisition of a thread is one of a reader. */
    boolean reads(long acquisition) {
        return hasReaders && acquisition % ACQUISITIONS_PER_WRITER != 0;
    }

    /** Of so many acquisitions of a thread, one is that of a writer. */
    int acquisitionsPerWriter() {
        return hasReaders ? ACQUISITIONS_PER_WRITER : 1;
    }

    /** Its name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
