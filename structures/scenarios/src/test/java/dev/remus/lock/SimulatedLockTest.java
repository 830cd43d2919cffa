// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.junit.SimulationTest;
import dev.remus.lock.FlawedLock.Flaw;
import dev.remus.memory.RdmaPtr;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.LockBreaksScenario;
import dev.remus.simulation.scenario.LockHeirsScenario;
import dev.remus.simulation.scenario.LockLineScenario;
import dev.remus.simulation.scenario.LockMovesScenario;
import dev.remus.simulation.scenario.LockRecoveryScenario;
import dev.remus.simulation.scenario.LockScenario;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shipped lock is right in the simulator, which finds each known mistake. */
@Tag("any-jdk")
class SimulatedLockTest {
    private static final int SCHEDULES = 50;
    private static final int MAX_SCHEDULES = 2_000;

    private static final long PATIENCE_NANOS = 20_000;
    private static final long HELD_NANOS = 200_000_000;
    private static final LockScenario PATIENT = LockScenario.remoteLock(4, 5, 0);
    private static final LockScenario IMPATIENT = LockScenario.remoteLock(4, 8, PATIENCE_NANOS);

    @SimulationTest(schedules = SCHEDULES)
    void threadsWithoutATimeLimitAllGetTheLockInTheOrderOfTheirTickets(Schedule schedule) throws Exception {
        PATIENT.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void abandonedTicketsAreSkippedAndNoWakeUpIsLost(Schedule schedule) throws Exception {
        IMPATIENT.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void itHoldsInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        IMPATIENT.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void lanesThatBreakCostNoTicketAndLeaveNoLockTaken(Schedule schedule) throws Exception {
        new LockBreaksScenario(4, 6).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void holdersThatAreLostAsTheyReleaseTheLockLeaveItToTheNextInLine(Schedule schedule) throws Exception {
        LockHeirsScenario.remoteLock(6, 2).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void inFrontOfALineInWhichAllPlacesAreTakenLostThreadsLeaveTheLockToTheNext(Schedule schedule) throws Exception {
        LockLineScenario.remoteLock(6, 2, LockLineScenario.Kind.FULL).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aHolderThatLearnsLateWhetherItHasReleasedTheLockPassesItOnOnce(Schedule schedule) throws Exception {
        LockLineScenario.remoteLock(6, 2, LockLineScenario.Kind.SLOW).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aViewThatMovesToANewLockInTheSameBlockKnowsNothingOfTheOldOne(Schedule schedule) throws Exception {
        LockMovesScenario.remoteLock(4, 4).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theLockWithoutAMistakeIsAccepted(Schedule schedule) throws Exception {
        with(Flaw.NONE).run(schedule);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        Optional<Finding> found = Finding.first(with(flaw), Schedule::random, 0, MAX_SCHEDULES);
        assertThat(found).isPresent();
        assertThat(Finding.in(with(flaw), Schedule.random(found.get().seed())))
                .as("the same seed again")
                .isEqualTo(found);
    }

    @SimulationTest(schedules = 20)
    void aWaiterBacksOffWhereATicketBeforeItsOwnWasGivenUp(Schedule schedule) throws Exception {
        long[] roundTrips = new long[1];
        AtomicInteger waiting = new AtomicInteger();
        new SimulatedCluster(4, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        RemoteLock lock = new RemoteLock(ct.threads());
                        lock.allocate(ct);
                        lock.init(ct);
                        ct.root().set(new RdmaPtr<>(lock.pointer()));
                    }
                })
                .run(ct -> {
                    RemoteLock lock = new RemoteLock(ct.threads());
                    lock.at(ct.root().get());
                    while (waiting.get() < ct.id()) {
                        ct.pause();
                    }
                    if (ct.id() == 0) {
                        lock.acquire(ct);
                        waiting.set(1);
                        long start = ct.nanoTime();
                        while (ct.nanoTime() - start < HELD_NANOS) {
                            ct.pause();
                        }
                        lock.release(ct);
                    } else if (ct.id() == 1) {
                        lock.tryAcquire(0, ct);
                        waiting.set(2);
                    } else if (ct.id() == 2) {
                        long before = ct.metrics().roundTrips();
                        lock.acquire(ct);
                        roundTrips[0] = ct.metrics().roundTrips() - before;
                        lock.release(ct);
                        waiting.set(3);
                    }
                });
        assertThat(roundTrips[0]).isBetween(4L, 100L); // 17 pauses that double, and then one of 33 ms after another
    }

    /** In the schedules in which the mistakes are looked for. */
    @Test
    void theRecoveryWithoutAMistakeIsAccepted() {
        assertThat(Finding.first(with(FlawedRecovery.Flaw.NONE), ScheduleMix.DELAYS::schedule, 1, SCHEDULES))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeOfARecoveryIsFoundAndFoundAgainWithTheSameSeed(FlawedRecovery.Flaw flaw) {
        Optional<Finding> found = Finding.first(with(flaw), ScheduleMix.DELAYS::schedule, 1, MAX_SCHEDULES);
        assertThat(found).isPresent();
        assertThat(Finding.in(
                        with(flaw), ScheduleMix.DELAYS.schedule(found.get().seed())))
                .as("the same seed again")
                .isEqualTo(found);
    }

    private static LockRecoveryScenario with(FlawedRecovery.Flaw flaw) {
        return new LockRecoveryScenario(4, 6, FlawedRecovery::create, (This, ct) -> new FlawedRecovery(This, flaw));
    }

    private static LockScenario with(Flaw flaw) {
        return new LockScenario(4, 8, PATIENCE_NANOS, FlawedLock::create, (This, ct) -> new FlawedLock(This, flaw));
    }
}
