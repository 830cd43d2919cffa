// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads get blocks from full memory as long as retired ones return, and the simulator finds each known mistake. */
@Tag("any-jdk")
class FullMemoryScenarioTest {
    private static final int SCHEDULES = 100;
    private static final int MAX_SCHEDULES = 20_000;
    private static final int OPERATIONS = 24;

    /** The number of blocks of each thread of the flawed retirement. */
    private static final int ROOM = 3;

    private static final Scenario FULL = FullMemoryScenario.shipped(4, OPERATIONS);

    @SimulationTest(schedules = SCHEDULES)
    void fullMemoryServesEachThreadWhileRetiredBlocksReturn(Schedule schedule) throws Exception {
        FULL.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void fullMemoryServesEachThreadInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        FULL.run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.PAUSED_THREADS, Fault.SLOW_NODES, Fault.SKEWED_CLOCKS})
    void fullMemoryServesEachThreadAmongSlowOnes(Schedule schedule) throws Exception {
        FULL.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void operationsOfSeveralBlocksBeginWithACompleteReserveOrWaitInside(Schedule schedule) throws Exception {
        new ReserveScenario(4, 8).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void retiredBlocksReturnWhileTheirThreadIsOfflineOrAtABarrier(Schedule schedule) throws Exception {
        new OfflineScenario(4, 6).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theScenarioAcceptsEpochsWithoutAMistake(Schedule schedule) throws Exception {
        new FullMemoryScenario(4, OPERATIONS, FlawedEpochs.factory(FlawedEpochs.Flaw.NONE, ROOM)).run(schedule);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANNOUNCED_INSIDE", "ENTERED_WITHOUT_RESERVE"})
    void everyMistakeIsFound(FlawedEpochs.Flaw flaw) {
        Scenario scenario = new FullMemoryScenario(4, OPERATIONS, FlawedEpochs.factory(flaw, ROOM));
        Optional<Finding> found = Finding.first(scenario, ScheduleMix.DELAYS::schedule, 0, MAX_SCHEDULES);
        assertThat(found).isPresent();
    }
}
