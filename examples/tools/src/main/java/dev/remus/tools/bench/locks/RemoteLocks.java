// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.locks;

import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.lock.RemoteReadWriteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteRecord;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/**
 * A lock in remote memory, on the first Memory Node.
 *
 * @param <L> its class
 */
final class RemoteLocks<L extends RemoteRecord> implements ContestedLock {
    private final IntFunction<L> views;
    private final BiConsumer<L, ComputeThread> init;
    private final BiFunction<L, ComputeThread, User> users;

    private RemoteLocks(
            IntFunction<L> views, BiConsumer<L, ComputeThread> init, BiFunction<L, ComputeThread, User> users) {
        this.views = views;
        this.init = init;
        this.users = users;
    }

    static ContestedLock lock() {
        return new RemoteLocks<>(
                RemoteLock::new,
                RemoteLock::init,
                (lock, ct) -> user(() -> lock.acquireConsistent(ct), () -> lock.release(ct)));
    }

    static ContestedLock queueLock() {
        return new RemoteLocks<>(
                RemoteQueueLock::new,
                RemoteQueueLock::init,
                (lock, ct) -> user(() -> lock.acquireConsistent(ct), () -> lock.release(ct)));
    }

    static ContestedLock cohortLock() {
        return new RemoteLocks<>(
                RemoteCohortLock::new,
                RemoteCohortLock::init,
                (lock, ct) -> user(() -> lock.acquireConsistent(ct), () -> lock.release(ct)));
    }

    static ContestedLock readWriteLock() {
        return new RemoteLocks<>(RemoteReadWriteLock::new, RemoteReadWriteLock::init, ReadWriteUser::new);
    }

    private static User user(Runnable acquire, Runnable release) {
        return new User() {
            @Override
            public void acquire(boolean reads) {
                acquire.run();
            }

            @Override
            public void release(boolean reads) {
                release.run();
            }
        };
    }

    private record ReadWriteUser(RemoteReadWriteLock lock, ComputeThread ct) implements User {
        @Override
        public void acquire(boolean reads) {
            if (reads) {
                lock.acquireRead(ct);
            } else {
                lock.acquireWrite(ct);
            }
        }

        @Override
        public void release(boolean reads) {
            if (reads) {
                lock.releaseRead(ct);
            } else {
                lock.releaseWrite(ct);
            }
        }
    }

    @Override
    public void create(ComputeThread ct) {
        L lock = views.apply(ct.threads());
        lock.at(ct.allocateOn(0, lock.bytes()));
        init.accept(lock, ct);
        ct.root().set(new RdmaPtr<>(lock.pointer()));
    }

    @Override
    public User open(ComputeThread ct) {
        L lock = views.apply(ct.threads());
        lock.at(ct.root().get());
        return users.apply(lock, ct);
    }
}
