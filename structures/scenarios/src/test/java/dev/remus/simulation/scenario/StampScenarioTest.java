// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cached copies of records with stamps outlive the reuse of memory, and the simulator finds each known mistake. */
class StampScenarioTest {
    private static final int SCHEDULES = 100;
    private static final int MAX_SCHEDULES = 5_000;
    private static final StampScenario STAMPS = StampScenario.shipped(4, 12);

    @SimulationTest(schedules = SCHEDULES)
    void aCachedRecordPassesForNoOtherOneAndLastsWhileItIsThere(Schedule schedule) throws Exception {
        STAMPS.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void aCachedRecordPassesForNoOtherOneInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        STAMPS.run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.STOPPED_THREADS, Fault.PAUSED_THREADS, Fault.BROKEN_LANES, Fault.LATE_REQUESTS})
    void aCachedRecordPassesForNoOtherOneUnderFaults(Schedule schedule) throws Exception {
        STAMPS.run(schedule);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyMistakeIsFound(FlawedStamps flaw) {
        assertThat(Finding.first(
                        new StampScenario(4, 12, flaw), ScheduleMix.DELAYS_AND_BREAKS::schedule, 0, MAX_SCHEDULES))
                .isPresent();
    }
}
