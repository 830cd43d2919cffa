// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.CostModel;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Time-outs of all locks and their kin, in the simulated time of modelled hardware. */
class LockTimeoutsTest {
    private static final int NODES = 3;
    private static final int THREADS_PER_NODE = 2;
    private static final int HOLDER = 0;
    private static final long[] TIMEOUTS = {0, 30_000, 2_000_000, 70_000_000};

    /** Some round trips of 2 to 3 µs each, to draw and give up a ticket, and a pause. */
    private static final long MOST_NANOS_LATE = 100_000;

    /** What one thread does: holds it, or tries in vain to get it. */
    private interface Handle {
        void hold(ComputeThread ct);

        boolean tryFor(long nanos, ComputeThread ct);

        void release(ComputeThread ct);
    }

    private enum Kind {
        LOCK {
            @Override
            long create(ComputeThread ct) {
                RemoteLock lock = new RemoteLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                return lock.pointer();
            }

            @Override
            Handle open(long pointer, ComputeThread ct) {
                RemoteLock lock = new RemoteLock(ct.threads());
                lock.at(pointer);
                return handle(
                        lock::acquire, (nanos, t) -> lock.tryAcquire(nanos, t).isHeld(), lock::release);
            }
        },
        QUEUE_LOCK {
            @Override
            long create(ComputeThread ct) {
                RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                return lock.pointer();
            }

            @Override
            Handle open(long pointer, ComputeThread ct) {
                RemoteQueueLock lock = new RemoteQueueLock(ct.threads());
                lock.at(pointer);
                return handle(
                        lock::acquire, (nanos, t) -> lock.tryAcquire(nanos, t).isHeld(), lock::release);
            }
        },
        COHORT_LOCK {
            @Override
            long create(ComputeThread ct) {
                RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
                lock.allocate(ct);
                lock.init(ct);
                return lock.pointer();
            }

            @Override
            Handle open(long pointer, ComputeThread ct) {
                RemoteCohortLock lock = new RemoteCohortLock(ct.threads());
                lock.at(pointer);
                return handle(
                        lock::acquire, (nanos, t) -> lock.tryAcquire(nanos, t).isHeld(), lock::release);
            }
        },
        READ_BESIDE_WRITER {
            @Override
            long create(ComputeThread ct) {
                return createReadWriteLock(ct);
            }

            @Override
            Handle open(long pointer, ComputeThread ct) {
                RemoteReadWriteLock lock = readWriteLock(pointer, ct);
                return handle(
                        lock::acquireWrite,
                        (nanos, t) -> lock.tryAcquireRead(nanos, t).isHeld(),
                        lock::releaseWrite);
            }
        },
        WRITE_BESIDE_WRITER {
            @Override
            long create(ComputeThread ct) {
                return createReadWriteLock(ct);
            }

            @Override
            Handle open(long pointer, ComputeThread ct) {
                RemoteReadWriteLock lock = readWriteLock(pointer, ct);
                return handle(
                        lock::acquireWrite,
                        (nanos, t) -> lock.tryAcquireWrite(nanos, t).isHeld(),
                        lock::releaseWrite);
            }
        },
        WRITE_BESIDE_READER {
            @Override
            long create(ComputeThread ct) {
                return createReadWriteLock(ct);
            }

            @Override
            Handle open(long pointer, ComputeThread ct) {
                RemoteReadWriteLock lock = readWriteLock(pointer, ct);
                return handle(
                        lock::acquireRead,
                        (nanos, t) -> lock.tryAcquireWrite(nanos, t).isHeld(),
                        lock::releaseRead);
            }
        },
        SEMAPHORE {
            @Override
            long create(ComputeThread ct) {
                return RemoteSemaphore.create(1, ct).raw();
            }

            @Override
            Handle open(long pointer, ComputeThread ct) {
                RemoteSemaphore semaphore = new RemoteSemaphore(new RdmaPtr<>(pointer), ct);
                return handle(semaphore::acquire, semaphore::tryAcquire, semaphore::release);
            }
        },
        LATCH {
            @Override
            long create(ComputeThread ct) {
                int[] counts = new int[ct.threads()];
                counts[HOLDER] = 1;
                return RemoteLatch.create(counts, ct).raw();
            }

            @Override
            Handle open(long pointer, ComputeThread ct) {
                RemoteLatch latch = new RemoteLatch(new RdmaPtr<>(pointer), ct);
                return handle(t -> {}, (nanos, t) -> latch.tryAwait(nanos, t) != Countdown.TIMED_OUT, latch::countDown);
            }
        };

        abstract long create(ComputeThread ct);

        abstract Handle open(long pointer, ComputeThread ct);

        private static long createReadWriteLock(ComputeThread ct) {
            RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
            lock.allocate(ct);
            lock.init(ct);
            return lock.pointer();
        }

        private static RemoteReadWriteLock readWriteLock(long pointer, ComputeThread ct) {
            RemoteReadWriteLock lock = new RemoteReadWriteLock(ct.threads());
            lock.at(pointer);
            return lock;
        }
    }

    private interface Step {
        void accept(ComputeThread ct);
    }

    private interface Attempt {
        boolean test(long nanos, ComputeThread ct);
    }

    private static Handle handle(Step hold, Attempt attempt, Step release) {
        return new Handle() {
            @Override
            public void hold(ComputeThread ct) {
                hold.accept(ct);
            }

            @Override
            public boolean tryFor(long nanos, ComputeThread ct) {
                return attempt.test(nanos, ct);
            }

            @Override
            public void release(ComputeThread ct) {
                release.accept(ct);
            }
        };
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final List<String> wrong = new ArrayList<>();

    private int through;

    @ParameterizedTest
    @EnumSource
    void anAttemptEndsWhenItsTimeIsOverAndNotMuchLater(Kind kind) throws Exception {
        ClusterConfig config = SimulatedCluster.small(NODES * THREADS_PER_NODE)
                .memoryNodes(0, 0)
                .computeNodes(1, NODES)
                .threadsPerNode(THREADS_PER_NODE)
                .segmentSizeLog2(16)
                .build();
        CostModel costs = CostModel.read("infiniband-fdr");
        Schedule schedule = Schedule.random(1).observedBy(s -> s.costs(costs).maxSteps(Long.MAX_VALUE));
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == HOLDER) {
                        ct.root().set(new RdmaPtr<>(kind.create(ct)));
                    }
                })
                .run(ct -> attempt(kind.open(ct.root().get().raw(), ct), ct));
        assertThat(wrong).isEmpty();
        assertThat(through).isEqualTo(NODES * THREADS_PER_NODE);
    }

    private boolean isHeld;

    private void attempt(Handle handle, ComputeThread ct) {
        if (ct.id() == HOLDER) {
            handle.hold(ct);
            isHeld = true;
            while (through < ct.threads() - 1) {
                ct.pause();
            }
            handle.release(ct);
        } else {
            while (!isHeld) {
                ct.pause();
            }
            for (long nanos : TIMEOUTS) {
                long start = ct.nanoTime();
                boolean isTaken = handle.tryFor(nanos, ct);
                long late = ct.nanoTime() - start - nanos;
                if (isTaken || late < 0 || late > MOST_NANOS_LATE) {
                    wrong.add("thread " + ct.id() + ", " + nanos + " ns: " + (isTaken ? "taken" : late + " ns late"));
                }
            }
        }
        through++;
    }
}
