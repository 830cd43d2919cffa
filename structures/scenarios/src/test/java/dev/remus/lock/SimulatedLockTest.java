package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.junit.SimulationTest;
import dev.remus.lock.FlawedLock.Flaw;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.scenario.LockScenario;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shipped lock is right in the simulator, which finds each known mistake. */
class SimulatedLockTest {
    private static final int SCHEDULES = 200;
    private static final int MAX_SCHEDULES = 2_000;
    private static final long PATIENCE_NANOS = 20_000;
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

    private static LockScenario with(Flaw flaw) {
        return new LockScenario(4, 8, PATIENCE_NANOS, FlawedLock::create, (This, ct) -> new FlawedLock(This, flaw));
    }
}
