// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.junit.SimulationTest;
import dev.remus.lock.FlawedQueueLock.Flaw;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.scenario.LockBreaksScenario;
import dev.remus.simulation.scenario.LockHeirsScenario;
import dev.remus.simulation.scenario.LockLossScenario;
import dev.remus.simulation.scenario.LockMovesScenario;
import dev.remus.simulation.scenario.LockRecoveryScenario;
import dev.remus.simulation.scenario.LockScenario;
import dev.remus.simulation.scenario.QueueLockPatienceScenario;
import dev.remus.simulation.scenario.QueueLockViewsScenario;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The queue lock is right in the simulator, which finds each known mistake. */
@Tag("any-jdk")
class SimulatedQueueLockTest {
    private static final int SCHEDULES = Integer.getInteger("remus.schedules", 50);

    /** Enough for the mistake that is the hardest to find, several times over. */
    private static final int MAX_SCHEDULES = 4_000;

    private static final long PATIENCE_NANOS = 20_000;

    private static void isClean(Scenario scenario, LongFunction<Schedule> schedules) {
        long first = ThreadLocalRandom.current().nextInt(1 << 30);
        assertThat(Finding.first(scenario, schedules::apply, first, SCHEDULES)).isEmpty();
    }

    @Test
    void threadsWithoutATimeLimitAllGetTheLockInTheOrderOfTheirTickets() {
        isClean(LockScenario.queueLock(4, 5, 0), ScheduleMix.DELAYS_AND_BREAKS::schedule);
    }

    @Test
    void abandonedTicketsArePassedByAndNoWaiterIsLeftBehind() {
        isClean(LockScenario.queueLock(4, 8, PATIENCE_NANOS), ScheduleMix.DELAYS_AND_BREAKS::schedule);
    }

    @SimulationTest(schedules = 100, scheduler = SchedulerKind.PCT)
    void itHoldsInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        LockScenario.queueLock(4, 8, PATIENCE_NANOS).run(schedule);
    }

    @Test
    void lanesThatBreakLeaveNoLockTaken() {
        isClean(LockBreaksScenario.queueLock(4, 6), Schedule::random);
    }

    @Test
    void aWaiterGetsTheLockIfAnyOtherThreadIsLost() {
        isClean(LockLossScenario.queueLock(4, 6), Schedule::random);
    }

    @Test
    void afterADeathTheNextHolderLearnsOfItAndNoOneIsOvertaken() {
        isClean(LockRecoveryScenario.queueLock(4, 6), Schedule::random);
    }

    @Test
    void holdersThatAreLostAsTheyReleaseTheLockLeaveItToTheNextInLine() {
        isClean(LockHeirsScenario.queueLock(6, 2), Schedule::random);
    }

    @Test
    void aThreadWithOneViewOfTwoLocksKeepsItsPlaceAndHasOneWordForEach() {
        isClean(new QueueLockViewsScenario(4, 5), ScheduleMix.DELAYS_AND_BREAKS::schedule);
    }

    @Test
    void aViewThatMovesToANewLockInTheSameBlockKnowsNothingOfTheOldOne() {
        isClean(LockMovesScenario.nearQueueLock(4, 4), Schedule::random);
    }

    @Test
    void aThreadGivesUpInTimeBehindATicketThatIsNeverClaimedAndASlowOneKeepsItsTicket() {
        isClean(new QueueLockPatienceScenario(4, 3), Schedule::random);
    }

    @Test
    void wokenWaitersGetTheLockInTheOrderOfTheirTicketsAndSeeWhatWasPosted() {
        isClean(LockScenario.nearQueueLock(4, 8, PATIENCE_NANOS), ScheduleMix.DELAYS_AND_BREAKS::schedule);
    }

    @Test
    void lanesThatBreakLeaveNoWaiterAsleep() {
        isClean(LockBreaksScenario.nearQueueLock(4, 6), Schedule::random);
    }

    @Test
    void aWaiterGetsTheLockIfTheThreadThatWouldHaveWokenItIsLost() {
        isClean(LockLossScenario.nearQueueLock(4, 6), Schedule::random);
    }

    @Test
    void aWokenWaiterLearnsOfTheDeathOfAHolder() {
        isClean(LockRecoveryScenario.nearQueueLock(4, 6), Schedule::random);
    }

    @Test
    void theLockWithoutAMistakeIsAccepted() {
        isClean(with(Flaw.NONE), Schedule::random);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        Optional<Finding> found = Finding.first(with(flaw), ScheduleMix.DELAYS::schedule, 0, MAX_SCHEDULES);
        assertThat(found).isPresent();
        assertThat(Finding.in(
                        with(flaw), ScheduleMix.DELAYS.schedule(found.get().seed())))
                .as("the same seed again")
                .isEqualTo(found);
    }

    private static LockScenario with(Flaw flaw) {
        return new LockScenario(
                4, 8, PATIENCE_NANOS, FlawedQueueLock::create, (This, ct) -> new FlawedQueueLock(This, flaw));
    }
}
