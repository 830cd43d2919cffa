// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.structures.spec.ListMapWalkScenario;
import dev.remus.structures.spec.MapScenario;
import dev.remus.structures.spec.Reuse;
import dev.remus.structures.spec.SetScenario;
import dev.remus.structures.spec.UnblockedScenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The lock-free list and its map are right in the simulator, whichever threads die. {@code ./remus check --mutants
 * LockFree} measures that their mistakes are found.
 */
@Tag("any-jdk")
class SimulatedLockFreeListTest {
    private static final int SCHEDULES = 60;

    /** More than the waits of a thread in the operations below. */
    private static final int LAST_STEP = 40;

    private static final Scenario SET = SetScenario.lockFreeList(4, 8, 3, true);
    private static final Scenario MAP = MapScenario.lockFreeList(4, 8, 2, true);

    @SimulationTest(schedules = SCHEDULES)
    void theSetIsLinearizableWhenItsMemoryIsReused(Schedule schedule) throws Exception {
        SET.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void theSetIsLinearizableInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        SET.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theSetIsLinearizableWithKeysOfTwoWords(Schedule schedule) throws Exception {
        SetScenario.wideLockFreeList(4, 8, 3, true).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theMapIsLinearizableWhenItsMemoryIsReused(Schedule schedule) throws Exception {
        MAP.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void theMapIsLinearizableInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        MAP.run(schedule);
    }

    @ParameterizedTest
    @EnumSource
    void aWalkThroughTheMapPassesEachKeyThatIsThereOnce(Reuse reuse) throws Exception {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            new ListMapWalkScenario(4, 8, 2, reuse).run(Schedule.random(seed));
        }
    }

    @SimulationTest(schedules = SCHEDULES)
    void noLostThreadAndNoBrokenLaneBlocksAThreadOfTheSet(Schedule schedule) throws Exception {
        new UnblockedScenario(SetScenario.lockFreeList(4, 6, 2, false)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void noLostThreadAndNoBrokenLaneBlocksAThreadOfTheMap(Schedule schedule) throws Exception {
        new UnblockedScenario(MapScenario.lockFreeList(4, 6, 2, false)).run(schedule);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOST_COMPUTE_NODES", "STOPPED_THREADS", "BROKEN_LANES"})
    void aThreadMayFailAtEachOfItsSteps(Fault fault) throws Exception {
        for (int step = 1; step <= LAST_STEP; step++) {
            List<Strike> strikes = List.of(new Strike(fault, 0, step));
            for (long seed = 0; seed < 4; seed++) {
                new UnblockedScenario(SetScenario.lockFreeList(2, 8, 2, false)).run(Schedule.random(seed), strikes);
                new UnblockedScenario(MapScenario.lockFreeList(2, 8, 2, false)).run(Schedule.random(seed), strikes);
            }
        }
    }
}
