// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.junit.SimulationTest;
import dev.remus.lock.FlawedReadWriteLock.Flaw;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.scenario.ReadWriteLockScenario;
import dev.remus.simulation.scenario.ReadWriteLockScenario.Trouble;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lock for readers and writers is right in the simulator, which finds each known mistake. */
@Tag("any-jdk")
class SimulatedReadWriteLockTest {
    private static final int SCHEDULES = 50;
    private static final int MAX_SCHEDULES = 400;
    private static final ReadWriteLockScenario QUIET = new ReadWriteLockScenario(4, 6, Trouble.NONE);
    private static final ReadWriteLockScenario TROUBLED = new ReadWriteLockScenario(4, 6, Trouble.LOSS);
    private static final ReadWriteLockScenario BREAKING = new ReadWriteLockScenario(4, 6, Trouble.BREAKS);

    @SimulationTest(schedules = SCHEDULES)
    void aWriterIsAloneAndReadersSeeWhatItHasPosted(Schedule schedule) throws Exception {
        QUIET.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void eachThreadThatIsLeftGetsTheLockAndLearnsIfAWriterHasDied(Schedule schedule) throws Exception {
        TROUBLED.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void lanesThatBreakLeaveNoThreadInside(Schedule schedule) throws Exception {
        BREAKING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES / 2, scheduler = SchedulerKind.PCT)
    void allHoldInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        QUIET.run(schedule);
        TROUBLED.run(schedule);
        BREAKING.run(schedule);
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "BREAKS"})
    void theLockWithoutAMistakeIsAccepted(Trouble trouble) {
        assertThat(Finding.first(with(Flaw.NONE, trouble), Schedule::random, 0, SCHEDULES))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeIsFound(Flaw flaw) {
        Trouble trouble = flaw.isOfBreaks() ? Trouble.BREAKS : Trouble.NONE;
        Optional<Finding> found = Finding.first(with(flaw, trouble), Schedule::random, 0, MAX_SCHEDULES);
        assertThat(found).isPresent();
    }

    private static ReadWriteLockScenario with(Flaw flaw, Trouble trouble) {
        return new ReadWriteLockScenario(
                4, 6, trouble, FlawedReadWriteLock::create, (This, ct) -> new FlawedReadWriteLock(This, flaw, ct));
    }
}
