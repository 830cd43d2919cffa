// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.lock.Acquisition;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thread's node is lost, or its lane breaks, at one remote operation while it acquires, holds or releases a lock, and
 * this is repeated for each remote operation. The other thread gets the lock, finds what it protects whole, or learns
 * that a holder died, and learns it no more when it has repaired that.
 */
@Tag("any-jdk")
@Timeout(600)
class MishapsInLocksTest {
    private static final int ROUNDS = 2;

    private static final long FOREVER_NANOS = Long.MAX_VALUE;

    /** Longer than a lane takes to be connected again. */
    private static final long LONG_NANOS = 1_000_000_000L;

    /** A time limit with which some attempts succeed. */
    private static final long PATIENCE_NANOS = 20_000;

    private enum Kind {
        TICKET {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return RemoteLockHandle.create(ct);
            }

            @Override
            ReadWriteHandle open(RdmaPtr<?> lock, ComputeThread ct) {
                return ReadWriteHandle.writer(new RemoteLockHandle(lock, ct));
            }
        },
        QUEUE {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return QueueLockHandle.create(ct);
            }

            @Override
            ReadWriteHandle open(RdmaPtr<?> lock, ComputeThread ct) {
                return ReadWriteHandle.writer(new QueueLockHandle(lock, ct));
            }
        },
        COHORT {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return CohortLockHandle.create(ct);
            }

            @Override
            ReadWriteHandle open(RdmaPtr<?> lock, ComputeThread ct) {
                return ReadWriteHandle.writer(new CohortLockHandle(lock, ct));
            }
        },
        READ_WRITE {
            @Override
            RdmaPtr<?> create(ComputeThread ct) {
                return ReadWriteHandle.create(ct);
            }

            @Override
            ReadWriteHandle open(RdmaPtr<?> lock, ComputeThread ct) {
                return ReadWriteHandle.open(lock, ct);
            }
        };

        abstract RdmaPtr<?> create(ComputeThread ct);

        abstract ReadWriteHandle open(RdmaPtr<?> lock, ComputeThread ct);
    }

    /** How the victim takes the lock. */
    private enum Method {
        ACQUIRE(true, FOREVER_NANOS, 30),
        TRY_ACQUIRE(true, PATIENCE_NANOS, 30),
        TRY_AT_ONCE(true, 0, 10),
        READ(false, FOREVER_NANOS, 12),
        TRY_READ(false, PATIENCE_NANOS, 12);

        private final boolean writes;
        private final long nanos;
        private final int leastSteps;

        Method(boolean writes, long nanos, int leastSteps) {
            this.writes = writes;
            this.nanos = nanos;
            this.leastSteps = leastSteps;
        }
    }

    private static final class Mishap extends MishapAtEachStep<ReadWriteHandle> {
        private final Kind kind;
        private final Method method;

        /** Two words that are equal, but for a holder that is changing them. */
        private long words;

        /** How often a thread has changed both words, or may have. */
        private int most;

        private int least;

        Mishap(Kind kind, Method method) {
            this.kind = kind;
            this.method = method;
        }

        @Override
        protected void create(ComputeThread ct) {
            words = ct.allocate(2 * Long.BYTES);
            ct.write(words, 0);
            ct.write(words + Long.BYTES, 0);
            ct.root().set(kind.create(ct));
        }

        @Override
        protected ReadWriteHandle open(ComputeThread ct) {
            return kind.open(ct.root().get(), ct);
        }

        @Override
        protected void call(ReadWriteHandle lock, ComputeThread ct) {
            for (int round = 0; round < ROUNDS; round++) {
                use(method.writes, method.nanos, lock, ct);
            }
        }

        @Override
        protected void compete(ReadWriteHandle lock, ComputeThread ct) {
            for (int round = 0; round < 2 * ROUNDS; round++) {
                assertThat(use(true, FOREVER_NANOS, lock, ct).isHeld()).isTrue();
            }
        }

        /** Takes the lock if it can in time, looks at the words, changes them as a writer, and releases it. */
        private Acquisition use(boolean writes, long nanos, ReadWriteHandle lock, ComputeThread ct) {
            Acquisition acquisition = lock.tryAcquire(writes, nanos, ct);
            if (acquisition.isHeld()) {
                try {
                    untilDone(() -> look(acquisition, ct), ct);
                    if (writes) {
                        change(acquisition, lock, ct);
                    }
                } finally {
                    lock.release(writes, ct);
                }
            }
            return acquisition;
        }

        private void look(Acquisition acquisition, ComputeThread ct) {
            long first = ct.read(words);
            long second = ct.read(words + Long.BYTES);
            if (acquisition == Acquisition.NORMAL) {
                assertThat(first).as("the first word, when no holder died").isEqualTo(second);
            }
        }

        private void change(Acquisition acquisition, ReadWriteHandle lock, ComputeThread ct) {
            long[] value = {0};
            untilDone(() -> value[0] = ct.read(words) + 1, ct);
            most++;
            untilDone(() -> ct.write(words, value[0]), ct);
            untilDone(() -> ct.write(words + Long.BYTES, value[0]), ct);
            least++;
            if (acquisition == Acquisition.HOLDER_DIED) {
                lock.makeConsistent();
            }
        }

        /** Repeats what can be repeated while lanes break. */
        private static void untilDone(Runnable action, ComputeThread ct) {
            while (true) {
                try {
                    action.run();
                    return;
                } catch (FabricException e) {
                    ct.pause();
                }
            }
        }

        @Override
        protected void audit(ReadWriteHandle lock, boolean wasCalled, ComputeThread ct) {
            assertThat(use(true, FOREVER_NANOS, lock, ct).isHeld()).isTrue();
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(use(true, FOREVER_NANOS, lock, ct))
                        .as("after the words were made consistent")
                        .isEqualTo(Acquisition.NORMAL);
                assertThat(lock.tryAcquire(true, LONG_NANOS, ct))
                        .as("nobody else wants it")
                        .isEqualTo(Acquisition.NORMAL);
                lock.release(true, ct);
            }
            assertThat(ct.read(words)).as("changes").isBetween((long) least, (long) most);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TICKET,ACQUIRE",
        "TICKET,TRY_ACQUIRE",
        "TICKET,TRY_AT_ONCE",
        "QUEUE,ACQUIRE",
        "QUEUE,TRY_ACQUIRE",
        "QUEUE,TRY_AT_ONCE",
        "COHORT,ACQUIRE",
        "COHORT,TRY_ACQUIRE",
        "COHORT,TRY_AT_ONCE",
        "READ_WRITE,ACQUIRE",
        "READ_WRITE,TRY_ACQUIRE",
        "READ_WRITE,TRY_AT_ONCE",
        "READ_WRITE,READ",
        "READ_WRITE,TRY_READ"
    })
    void aLockComesFreeWhateverHappensToAThreadAtAnyStep(Kind kind, Method method) throws Exception {
        for (Fault fault : new Fault[] {Fault.LOST_COMPUTE_NODES, Fault.BROKEN_LANES, Fault.INTERRUPTED_THREADS}) {
            int steps = MishapAtEachStep.of(fault, () -> new Mishap(kind, method));
            assertThat(steps).as("steps of %s", fault).isGreaterThanOrEqualTo(method.leastSteps);
        }
    }
}
