// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thread holds what it has retired in three epochs at most, and the simulator finds one that holds more. */
@Tag("any-jdk")
class GarbageScenarioTest {
    private static final int SCHEDULES = 100;
    private static final int MAX_SCHEDULES = 1_000;
    private static final int OPERATIONS = 12;
    private static final Scenario GARBAGE = GarbageScenario.shipped(4, OPERATIONS);

    @SimulationTest(schedules = SCHEDULES)
    void noBlockIsHeldInTheThirdEpochAfterItsRetirement(Schedule schedule) throws Exception {
        GARBAGE.run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.PAUSED_THREADS, Fault.BROKEN_LANES, Fault.SLOW_NODES, Fault.LATE_REQUESTS})
    void noBlockIsHeldLongerAmongSlowThreadsAndBrokenLanes(Schedule schedule) throws Exception {
        GARBAGE.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theScenarioAcceptsEpochsWithoutAMistake(Schedule schedule) throws Exception {
        new GarbageScenario(4, OPERATIONS, FlawedEpochs.factory(FlawedEpochs.Flaw.NONE)).run(schedule);
    }

    @Test
    void aBlockThatIsHeldForOneMoreEpochIsFound() {
        Scenario scenario =
                new GarbageScenario(4, OPERATIONS, FlawedEpochs.factory(FlawedEpochs.Flaw.FREED_AFTER_THREE_EPOCHS));
        Optional<Finding> found = Finding.first(scenario, ScheduleMix.DELAYS_AND_BREAKS::schedule, 0, MAX_SCHEDULES);
        assertThat(found).isPresent();
    }
}
