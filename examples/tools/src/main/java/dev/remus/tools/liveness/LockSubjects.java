// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import dev.remus.lock.LeaderSlot;
import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLatch;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.lock.RemoteReadWriteLock;
import dev.remus.lock.RemoteSemaphore;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteRecord;
import dev.remus.tools.liveness.ProgressSubject.Call;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/** The subjects of {@code dev.remus.lock}. A call that needs the lock follows one that acquires it. */
final class LockSubjects {
    static final ProgressSubject LOCK = lock("lock", RemoteLock::new, RemoteLock::init, LockSubjects::lock);

    static final ProgressSubject QUEUE_LOCK =
            lock("queuelock", RemoteQueueLock::new, RemoteQueueLock::init, LockSubjects::queueLock);

    static final ProgressSubject COHORT_LOCK =
            lock("cohortlock", RemoteCohortLock::new, RemoteCohortLock::init, LockSubjects::cohortLock);

    static final ProgressSubject READ_WRITE_LOCK =
            lock("rwlock", RemoteReadWriteLock::new, RemoteReadWriteLock::init, LockSubjects::readWriteLock);

    /** Fewer permits than threads. */
    static final ProgressSubject SEMAPHORE =
            new ProgressSubject("semaphore", ct -> RemoteSemaphore.create(2, ct), LockSubjects::semaphore);

    static final ProgressSubject LATCH = new ProgressSubject("latch", LockSubjects::createLatch, LockSubjects::latch);

    static final ProgressSubject LEADER = new ProgressSubject("leader", LeaderSlot::create, LockSubjects::leader);

    private LockSubjects() {}

    private static <L extends RemoteRecord> ProgressSubject lock(
            String name,
            IntFunction<L> views,
            BiConsumer<L, ComputeThread> init,
            BiFunction<L, ComputeThread, List<Call>> calls) {
        return new ProgressSubject(
                name,
                ct -> {
                    L lock = views.apply(ct.threads());
                    lock.at(ct.allocate(lock.bytes()));
                    init.accept(lock, ct);
                    return new RdmaPtr<>(lock.pointer());
                },
                (This, ct) -> {
                    L lock = views.apply(ct.threads());
                    lock.at(This.raw());
                    return calls.apply(lock, ct);
                });
    }

    private static List<Call> lock(RemoteLock lock, ComputeThread ct) {
        return acquiring(() -> lock.acquireConsistent(ct), () -> lock.release(ct));
    }

    private static List<Call> queueLock(RemoteQueueLock lock, ComputeThread ct) {
        return acquiring(() -> lock.acquireConsistent(ct), () -> lock.release(ct));
    }

    private static List<Call> cohortLock(RemoteCohortLock lock, ComputeThread ct) {
        return acquiring(() -> lock.acquireConsistent(ct), () -> lock.release(ct));
    }

    private static List<Call> acquiring(Runnable acquire, Runnable release) {
        return List.of(new Call("acquire", Promise.BLOCKING, random -> acquire.run())
                .then("release", Promise.WAIT_FREE, release));
    }

    private static List<Call> readWriteLock(RemoteReadWriteLock lock, ComputeThread ct) {
        return List.of(
                new Call("acquireRead", Promise.BLOCKING, random -> lock.acquireRead(ct))
                        .then("releaseRead", Promise.WAIT_FREE, () -> lock.releaseRead(ct)),
                new Call("acquireWrite", Promise.BLOCKING, random -> lock.acquireWrite(ct))
                        .then("releaseWrite", Promise.WAIT_FREE, () -> lock.releaseWrite(ct)));
    }

    private static List<Call> semaphore(RdmaPtr<?> This, ComputeThread ct) {
        RemoteSemaphore semaphore = new RemoteSemaphore(new RdmaPtr<>(This.raw()), ct);
        return List.of(new Call("acquire", Promise.BLOCKING, random -> semaphore.acquire(ct))
                .then("release", Promise.WAIT_FREE, () -> semaphore.release(ct)));
    }

    /** Each call of a thread counts down. */
    private static RdmaPtr<?> createLatch(ComputeThread ct) {
        int[] counts = new int[ct.threads()];
        Arrays.fill(counts, Experiment.CALLS);
        return RemoteLatch.create(counts, ct);
    }

    /** A thread that has counted down as often as it has to waits for the others. */
    private static List<Call> latch(RdmaPtr<?> This, ComputeThread ct) {
        RemoteLatch latch = new RemoteLatch(new RdmaPtr<>(This.raw()), ct);
        Call await = new Call("await", Promise.BLOCKING, random -> latch.await(ct));
        Call poll = new Call("tryAwait", Promise.WAIT_FREE, random -> latch.tryAwait(0, ct))
                .then(() -> latch.owed(ct.id()) == 0, await);
        return List.of(new Call("countDown", Promise.WAIT_FREE, random -> latch.countDown(ct)).then(() -> true, poll));
    }

    private static List<Call> leader(RdmaPtr<?> This, ComputeThread ct) {
        LeaderSlot slot = new LeaderSlot(new RdmaPtr<>(This.raw()));
        Call resign = new Call("resign", Promise.WAIT_FREE, random -> slot.resign(ct));
        return List.of(
                new Call("tryLead", Promise.LOCK_FREE, random -> slot.tryLead(ct)).then(slot::isLeading, resign),
                new Call("leader", Promise.WAIT_FREE, random -> slot.leader(ct)));
    }
}
