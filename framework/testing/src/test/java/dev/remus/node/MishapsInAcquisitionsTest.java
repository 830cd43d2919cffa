// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteCohortLock;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.lock.RemoteReadWriteLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A victim's wait for a remote operation ends with an exception while it acquires or releases a lock: it is
 * interrupted, and the operation takes effect afterwards, or is lost; or a lane cannot be connected. This is repeated
 * for each of its operations. Each time, the others get the lock one at a time, and so does the victim.
 */
@Tag("oldest-jdk")
@Timeout(300)
class MishapsInAcquisitionsTest {
    private static final int NODES = 3;
    private static final int VICTIM = 0;
    private static final int HOLDER = 1;
    private static final int WAITER = 2;
    private static final long FOREVER = Long.MAX_VALUE;
    private static final long LONG = TimeUnit.SECONDS.toNanos(60);

    /** After so many polls in vain, each is like the one before. */
    private static final int MOST_STEPS = 40;

    /** What becomes of the operation whose wait ends. */
    private enum Mishap {
        ARRIVES_LATE,
        IS_LOST,
        CANNOT_BE_REPEATED
    }

    private enum Kind {
        TICKET {
            @Override
            User view(long at, ComputeThread ct) {
                RemoteLock lock = new RemoteLock(ct.threads());
                return at == 0
                        ? new User(lock.allocate(ct), () -> lock.init(ct), null, null)
                        : new User(at(lock, at), () -> {}, nanos -> lock.tryAcquire(nanos, ct), () -> lock.release(ct));
            }
        },
        QUEUE {
            @Override
            User view(long at, ComputeThread ct) {
                RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
                return at == 0
                        ? new User(lock.allocate(ct), () -> lock.init(ct), null, null)
                        : new User(at(lock, at), () -> {}, nanos -> lock.tryAcquire(nanos, ct), () -> lock.release(ct));
            }
        },
        COHORT {
            @Override
            User view(long at, ComputeThread ct) {
                RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
                return at == 0
                        ? new User(lock.allocate(ct), () -> lock.init(ct), null, null)
                        : new User(at(lock, at), () -> {}, nanos -> lock.tryAcquire(nanos, ct), () -> lock.release(ct));
            }
        },
        WRITERS {
            @Override
            User view(long at, ComputeThread ct) {
                RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
                return at == 0
                        ? new User(lock.allocate(ct), () -> lock.init(ct), null, null)
                        : new User(
                                at(lock, at),
                                () -> {},
                                nanos -> lock.tryAcquireWrite(nanos, ct),
                                () -> lock.releaseWrite(ct));
            }
        },
        /** The victim reads, the others write. */
        READER {
            @Override
            User view(long at, ComputeThread ct) {
                if (at == 0 || ct.id() != VICTIM) {
                    return WRITERS.view(at, ct);
                }
                RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
                return new User(
                        at(lock, at), () -> {}, nanos -> lock.tryAcquireRead(nanos, ct), () -> lock.releaseRead(ct));
            }
        },
        /** The victim writes, the others read. */
        WRITER_AMONG_READERS {
            @Override
            User view(long at, ComputeThread ct) {
                if (at == 0 || ct.id() != WAITER) {
                    return WRITERS.view(at, ct);
                }
                RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
                return new User(
                        at(lock, at), () -> {}, nanos -> lock.tryAcquireRead(nanos, ct), () -> lock.releaseRead(ct));
            }
        };

        /** A view of the lock at a pointer; if that is 0, of a new lock. */
        abstract User view(long at, ComputeThread ct);

        private static long at(dev.remus.record.RemoteRecord view, long at) {
            view.at(at);
            return at;
        }
    }

    private interface Attempt {
        Acquisition tryAcquire(long nanos);
    }

    /** A thread's view of a lock. */
    private record User(long pointer, Runnable init, Attempt attempt, Runnable release) {}

    private final LaneFabric fabric = LaneFabric.weak(32);
    private final List<ExecutorService> executors = new ArrayList<>();
    private final List<ComputeThread> threads = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private TestCluster cluster;

    /** How many chains the victim posts until the mishap; negative for no mishap. */
    private final AtomicInteger postsLeft = new AtomicInteger(-1);

    private volatile boolean isStruck;
    private Mishap mishap;

    private void start(LanePolicy policy) throws Exception {
        cluster = TestCluster.of(
                        TestCluster.config(1, NODES, 1)
                                .lanes(2)
                                .lanePolicy(policy)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .lossTimeout(Duration.ofSeconds(1))
                                .build(),
                        fabric)
                .start();
        for (int i = 0; i < NODES; i++) {
            int node = 1 + i;
            executors.add(Executors.newSingleThreadExecutor());
            threads.add(in(i, () -> cluster.computeNode(node).openThread(0)).get());
        }
        Thread victim = in(VICTIM, Thread::currentThread).get();
        for (int lane = 0; lane < 2; lane++) {
            lane(lane).beforePosts(poster -> strikeIfDue(poster == victim));
        }
    }

    @AfterEach
    void close() {
        for (int lane = 0; lane < 2; lane++) {
            lane(lane).hold(false);
            lane(lane).refuseConnections(false);
            lane(lane).beforePosts(poster -> {});
        }
        executors.forEach(ExecutorService::shutdownNow);
        cluster.close();
    }

    private <T> Future<T> in(int thread, Callable<T> action) {
        return executors.get(thread).submit(action);
    }

    private WeakLane lane(int lane) {
        return fabric.lane(1 + VICTIM, 0, lane);
    }

    /** Called before each post on the lanes of the victim's node. */
    private void strikeIfDue(boolean isVictim) {
        if (!isVictim || postsLeft.get() < 0 || postsLeft.getAndDecrement() > 0) {
            return;
        }
        isStruck = true;
        if (mishap == Mishap.CANNOT_BE_REPEATED) {
            lane(0).refuseConnections(true);
            lane(0).failNext(CompletionStatus.RETRY_EXCEEDED);
        } else {
            lane(0).hold(true);
            lane(1).hold(true);
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the mishap. */
    private void recover() {
        Thread.interrupted();
        postsLeft.set(-1);
        for (int lane = 0; lane < 2; lane++) {
            if (isStruck && mishap == Mishap.IS_LOST) {
                lane(lane).failNext(CompletionStatus.RETRY_EXCEEDED);
            }
            lane(lane).refuseConnections(false);
            lane(lane).hold(false);
        }
    }

    // --------------------------------------------------------------------------------------------- the victim

    /** Acquires and releases the lock, and meets the mishap; returns whether it still holds it. */
    private boolean meetMishap(User lock, long nanos) {
        boolean isHeld = false;
        try {
            isHeld = lock.attempt.tryAcquire(nanos).isHeld();
            if (isHeld) {
                enter();
                inside.decrementAndGet();
                lock.release.run();
                isHeld = false;
            }
        } catch (FabricException e) {
            assertThat(isStruck).isTrue();
        }
        return isHeld;
    }

    private void enter() {
        assertThat(inside.incrementAndGet()).as("threads inside").isEqualTo(1);
    }

    private boolean use(User lock) {
        assertThat(lock.attempt.tryAcquire(LONG)).isEqualTo(Acquisition.NORMAL);
        enter();
        inside.decrementAndGet();
        lock.release.run();
        return true;
    }

    /** Ends the mishap, and makes the operation after it. */
    private boolean goOn(User lock, boolean isHeld, ComputeThread ct) {
        recover();
        while (true) {
            try {
                if (isHeld) {
                    lock.release.run(); // as it must: it could not place
                } else {
                    ct.place();
                }
                assertThat(ct.locks().held()).isEmpty();
                return true;
            } catch (FabricException e) {
                ct.pause();
            }
        }
    }

    // --------------------------------------------------------------------------------------------- tests

    private List<User> views(Kind kind) throws Exception {
        User made = in(HOLDER, () -> kind.view(0, threads.get(HOLDER))).get();
        in(HOLDER, Executors.callable(made.init)).get();
        List<User> views = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            int thread = i;
            views.add(in(i, () -> kind.view(made.pointer, threads.get(thread))).get());
        }
        return views;
    }

    private void assertAllGetIt(List<User> views) throws Exception {
        for (int i = NODES - 1; i >= 0; i--) {
            User view = views.get(i);
            in(i, () -> use(view)).get();
        }
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            User view = views.get(i);
            all.add(in(i, () -> use(view)));
        }
        for (Future<Boolean> one : all) {
            one.get();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFreeLockStaysFreeAfterAnInterruptAtAnyStep(Kind kind) throws Exception {
        start(LanePolicy.RR);
        assertStaysFree(kind, Mishap.ARRIVES_LATE);
        assertStaysFree(kind, Mishap.IS_LOST);
    }

    /** The victim has lane 0 for itself: the watch of its node uses the other one. */
    @ParameterizedTest
    @EnumSource
    void aFreeLockStaysFreeIfALaneCannotBeConnectedAtAnyStep(Kind kind) throws Exception {
        start(LanePolicy.ONE_TO_ONE);
        assertStaysFree(kind, Mishap.CANNOT_BE_REPEATED);
    }

    private void assertStaysFree(Kind kind, Mishap each) throws Exception {
        mishap = each;
        isStruck = true;
        int step = 0;
        for (; isStruck; step++) {
            List<User> views = views(kind);
            isStruck = false;
            postsLeft.set(step);
            User lock = views.get(VICTIM);
            boolean isHeld = in(VICTIM, () -> meetMishap(lock, FOREVER)).get();
            in(VICTIM, () -> goOn(lock, isHeld, threads.get(VICTIM))).get();
            assertAllGetIt(views);
        }
        assertThat(step).as("steps of %s", each).isGreaterThan(2);
    }

    @ParameterizedTest
    @CsvSource({
        "TICKET,true", "QUEUE,true", "COHORT,true", "WRITERS,true", "READER,true", "WRITER_AMONG_READERS,true",
        "TICKET,false", "QUEUE,false", "COHORT,false", "WRITERS,false", "READER,false", "WRITER_AMONG_READERS,false"
    })
    void aWaiterBehindAThreadThatIsInterruptedGetsTheLock(Kind kind, boolean isPatient) throws Exception {
        start(LanePolicy.RR);
        for (Mishap each : new Mishap[] {Mishap.ARRIVES_LATE, Mishap.IS_LOST}) {
            mishap = each;
            isStruck = true;
            for (int step = 0; isStruck && step < MOST_STEPS; step++) {
                List<User> views = views(kind);
                User holder = views.get(HOLDER);
                in(HOLDER, () -> holder.attempt.tryAcquire(LONG)).get();
                isStruck = false;
                postsLeft.set(step);
                User lock = views.get(VICTIM);
                boolean isHeld = in(VICTIM, () -> meetMishap(lock, isPatient ? FOREVER : 0))
                        .get();
                Future<Boolean> waiter = in(WAITER, () -> use(views.get(WAITER)));
                in(HOLDER, Executors.callable(holder.release)).get();
                in(VICTIM, () -> goOn(lock, isHeld, threads.get(VICTIM))).get();
                waiter.get();
                assertAllGetIt(views);
            }
        }
    }
}
