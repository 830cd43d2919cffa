// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.structures.spec.HashMapScenario;
import dev.remus.structures.spec.MapScenario;
import dev.remus.structures.spec.Reuse;
import dev.remus.structures.spec.SetScenario;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Each structure that retires memory stays linearizable while epochs reuse it under its readers. */
@Tag("any-jdk")
class SimulatedEpochsTest {
    private static final int SCHEDULES = 240;

    private static final List<Scenario> ALL = List.of(
            SetScenario.lazyList(4, 8, 3, false).with(Reuse.EPOCHS),
            SetScenario.fastLazyList(4, 8, 3, false).with(Reuse.EPOCHS),
            SetScenario.cachedLazyList(4, 8, 3, false, 4).with(Reuse.EPOCHS),
            SetScenario.lockFreeList(4, 8, 3, false).with(Reuse.EPOCHS),
            MapScenario.lockFreeList(4, 8, 2, false).with(Reuse.EPOCHS),
            HashMapScenario.growing(4, 8, 6, false).with(Reuse.EPOCHS),
            HashMapScenario.colliding(4, 8, 3, false).with(Reuse.EPOCHS),
            HashMapScenario.texts(4, 8, 6, false).with(Reuse.EPOCHS));

    private static Scenario oneOfThem(Schedule schedule) {
        return ALL.get(Math.floorMod(schedule.seed(), ALL.size()));
    }

    @SimulationTest(schedules = SCHEDULES)
    void structuresAreLinearizableWhileTheirMemoryIsReused(Schedule schedule) throws Exception {
        oneOfThem(schedule).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void structuresAreLinearizableInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        oneOfThem(schedule).run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.STOPPED_THREADS, Fault.PAUSED_THREADS, Fault.BROKEN_LANES, Fault.LATE_REQUESTS})
    void structuresAreLinearizableUnderFaults(Schedule schedule) throws Exception {
        oneOfThem(schedule).run(schedule);
    }
}
