// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.lock.Countdown;
import dev.remus.lock.LeaderSlot;
import dev.remus.lock.RemoteLatch;
import dev.remus.lock.RemoteSemaphore;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteCounter;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thread's node is lost, or its lane breaks, at one remote operation of a method of a semaphore, a latch, a leader
 * slot or a counter, and this is repeated for each remote operation. The other thread gets all permits, waits for
 * nothing, leads, and counts what was counted.
 */
@Tag("any-jdk")
@Timeout(600)
class MishapsInCoordinationTest {
    /** A time limit with which some attempts succeed. */
    private static final long PATIENCE_NANOS = 20_000;

    private static final class OfSemaphore extends MishapAtEachStep<RemoteSemaphore> {
        private static final int PERMITS = 2;

        private final boolean isPatient;

        OfSemaphore(boolean isPatient) {
            this.isPatient = isPatient;
        }

        @Override
        protected void create(ComputeThread ct) {
            ct.root().set(RemoteSemaphore.create(PERMITS, ct));
        }

        @Override
        protected RemoteSemaphore open(ComputeThread ct) {
            return new RemoteSemaphore(new RdmaPtr<>(ct.root().get().raw()), ct);
        }

        @Override
        protected void call(RemoteSemaphore semaphore, ComputeThread ct) {
            for (int round = 0; round < 2; round++) {
                if (isPatient) {
                    semaphore.acquire(ct);
                } else if (!semaphore.tryAcquire(PATIENCE_NANOS, ct)) {
                    continue;
                }
                semaphore.release(ct);
            }
        }

        @Override
        protected void audit(RemoteSemaphore semaphore, boolean wasCalled, ComputeThread ct) {
            for (int permit = 0; permit < PERMITS; permit++) {
                semaphore.acquire(ct);
            }
            assertThat(semaphore.available(ct))
                    .as("permits when this thread has all")
                    .isZero();
            for (int permit = 0; permit < PERMITS; permit++) {
                semaphore.release(ct);
            }
        }
    }

    private static final class OfLatch extends MishapAtEachStep<RemoteLatch> {
        @Override
        protected void create(ComputeThread ct) {
            ct.root().set(RemoteLatch.create(2, ct));
        }

        @Override
        protected RemoteLatch open(ComputeThread ct) {
            return new RemoteLatch(new RdmaPtr<>(ct.root().get().raw()), ct);
        }

        @Override
        protected void call(RemoteLatch latch, ComputeThread ct) {
            latch.countDown(ct);
        }

        @Override
        protected void audit(RemoteLatch latch, boolean wasCalled, ComputeThread ct) {
            if (ct.id() == SURVIVOR) {
                latch.countDown(ct);
                assertThat(latch.await(ct))
                        .isIn(Countdown.COMPLETE, wasCalled ? Countdown.COMPLETE : Countdown.WITHOUT_LOST);
            }
        }
    }

    private static final class OfLeader extends MishapAtEachStep<LeaderSlot> {
        @Override
        protected void create(ComputeThread ct) {
            ct.root().set(LeaderSlot.create(ct));
        }

        @Override
        protected LeaderSlot open(ComputeThread ct) {
            return new LeaderSlot(new RdmaPtr<>(ct.root().get().raw()));
        }

        @Override
        protected void call(LeaderSlot slot, ComputeThread ct) {
            for (int round = 0; round < 2; round++) {
                if (slot.tryLead(ct)) {
                    slot.resign(ct);
                }
            }
        }

        @Override
        protected void audit(LeaderSlot slot, boolean wasCalled, ComputeThread ct) {
            while (!slot.tryLead(ct)) {
                ct.pause();
            }
            assertThat(slot.leader(ct)).isEqualTo(OptionalInt.of(ct.id()));
            slot.resign(ct);
            assertThat(slot.leader(ct)).isEmpty();
        }
    }

    private static final class OfCounter extends MishapAtEachStep<RemoteCounter> {
        private int done;
        private int begun;

        @Override
        protected void create(ComputeThread ct) {
            ct.root().set(RemoteCounter.create(2, ct));
        }

        @Override
        protected RemoteCounter open(ComputeThread ct) {
            return new RemoteCounter(new RdmaPtr<>(ct.root().get().raw()), ct);
        }

        @Override
        protected void call(RemoteCounter counter, ComputeThread ct) {
            for (int round = 0; round < 3; round++) {
                begun++;
                counter.add(1, ct);
                done++;
                counter.sum(ct);
            }
        }

        @Override
        protected void audit(RemoteCounter counter, boolean wasCalled, ComputeThread ct) {
            long before = counter.sum(ct);
            if (ct.id() == SURVIVOR) {
                assertThat(before).isBetween((long) done, (long) begun);
            }
            counter.add(5, ct);
            assertThat(counter.sum(ct)).isEqualTo(before + 5);
        }
    }

    private enum Kind {
        SEMAPHORE(() -> new OfSemaphore(true)),
        SEMAPHORE_IN_TIME(() -> new OfSemaphore(false)),
        LATCH(OfLatch::new),
        LEADER(OfLeader::new),
        COUNTER(OfCounter::new);

        private final MishapAtEachStep.Maker test;

        Kind(MishapAtEachStep.Maker test) {
            this.test = test;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SEMAPHORE,LOST_COMPUTE_NODES,8",
        "SEMAPHORE_IN_TIME,LOST_COMPUTE_NODES,8",
        "LATCH,LOST_COMPUTE_NODES,1",
        "LEADER,LOST_COMPUTE_NODES,6",
        "COUNTER,LOST_COMPUTE_NODES,8",
        "COUNTER,BROKEN_LANES,8",
        "SEMAPHORE,INTERRUPTED_THREADS,8",
        "SEMAPHORE_IN_TIME,INTERRUPTED_THREADS,8",
        "LATCH,INTERRUPTED_THREADS,1",
        "LEADER,INTERRUPTED_THREADS,6",
        "COUNTER,INTERRUPTED_THREADS,8"
    })
    void theOthersGoOnWhateverHappensToAThreadAtAnyStep(Kind kind, Fault fault, int least) throws Exception {
        int steps = MishapAtEachStep.of(fault, kind.test);
        assertThat(steps).as("steps").isGreaterThanOrEqualTo(least);
    }
}
