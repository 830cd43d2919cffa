// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.simulation.scenario.LockBreaksScenario;
import dev.remus.simulation.scenario.LockLossScenario;
import dev.remus.simulation.scenario.LockScenario;
import org.junit.jupiter.api.Tag;

/** The cohort lock is right in the simulator, whether it comes from a thread of the same node or of another. */
@Tag("any-jdk")
class SimulatedCohortLockTest {
    private static final int SCHEDULES = 200;
    private static final long PATIENCE_NANOS = 20_000;

    @SimulationTest(schedules = SCHEDULES)
    void oneThreadHoldsItAtATimeAndSeesWhatTheOneBeforeHasPosted(Schedule schedule) throws Exception {
        LockScenario.cohortLock(4, 8, PATIENCE_NANOS).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aNodeWithManyThreadsLeavesItToTheOthersInTheEnd(Schedule schedule) throws Exception {
        LockScenario.cohortLock(6, 2 * RemoteCohortLock.MOST_TURNS / 3, 0).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void lanesThatBreakLeaveNoLockTaken(Schedule schedule) throws Exception {
        LockBreaksScenario.cohortLock(4, 6).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aWaiterGetsTheLockIfAnyOtherNodeIsLost(Schedule schedule) throws Exception {
        LockLossScenario.cohortLock(4, 6).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES / 2, scheduler = SchedulerKind.PCT)
    void itHoldsInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        LockScenario.cohortLock(4, 8, PATIENCE_NANOS).run(schedule);
        LockLossScenario.cohortLock(4, 6).run(schedule);
    }
}
