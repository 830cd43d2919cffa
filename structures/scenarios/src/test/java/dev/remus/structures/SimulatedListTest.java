// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import dev.remus.structures.FlawedList.Flaw;
import dev.remus.structures.spec.SetScenario;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shipped lazy list is right in the simulator, which finds each known mistake. */
@Tag("any-jdk")
class SimulatedListTest {
    private static final int SCHEDULES = 200;
    private static final int MAX_SCHEDULES = 2_000;
    private static final SetScenario SMALL = SetScenario.lazyList(4, 6, 2, false);
    private static final SetScenario RECLAIMING = SetScenario.lazyList(4, 12, 3, true);

    @SimulationTest(schedules = SCHEDULES)
    void theLazyListIsLinearizableInRandomSchedules(Schedule schedule) throws Exception {
        SMALL.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void theLazyListIsLinearizableInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        SMALL.run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.STOPPED_THREADS, Fault.PAUSED_THREADS, Fault.SLOW_NODES, Fault.SKEWED_CLOCKS})
    void theLazyListIsLinearizableWhenThreadsStop(Schedule schedule) throws Exception {
        SMALL.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theLazyListStaysSoundWhenItsMemoryIsReused(Schedule schedule) throws Exception {
        RECLAIMING.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theListWithoutAMistakeIsAccepted(Schedule schedule) throws Exception {
        with(Flaw.NONE).run(schedule);
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

    private static SetScenario with(Flaw flaw) {
        return RECLAIMING.of(ct -> FlawedList.create(flaw, ct), This -> new FlawedList(This, flaw));
    }
}
