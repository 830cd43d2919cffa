// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.scenario.LatchScenario;
import dev.remus.simulation.scenario.LeaderScenario;
import dev.remus.simulation.scenario.SemaphoreScenario;
import org.junit.jupiter.api.Tag;

/** Semaphores, latches and leader slots are right in the simulator while a node is lost and lanes break. */
@Tag("any-jdk")
class SimulatedCoordinationTest {
    private static final int SCHEDULES = 100;
    private static final SemaphoreScenario SEMAPHORE = new SemaphoreScenario(4, 5);
    private static final LatchScenario LATCH = new LatchScenario(4, 3);
    private static final LeaderScenario LEADER = new LeaderScenario(4, 4);

    @SimulationTest(schedules = SCHEDULES)
    void noMoreThreadsAreInsideThanThereArePermitsAndLostOnesGiveTheirsBack(Schedule schedule) throws Exception {
        SEMAPHORE.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aLatchOpensWhenAllHaveCountedThatAreNotLost(Schedule schedule) throws Exception {
        LATCH.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void oneThreadLeadsAtATimeInAHigherTermThanAllBefore(Schedule schedule) throws Exception {
        LEADER.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES / 2, scheduler = SchedulerKind.PCT)
    void allHoldInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        SEMAPHORE.run(schedule);
        LATCH.run(schedule);
        LEADER.run(schedule);
    }
}
