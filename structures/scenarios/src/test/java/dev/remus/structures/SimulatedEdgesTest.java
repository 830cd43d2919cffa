// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.RingEdgesScenario;
import dev.remus.structures.spec.SetLossScenario;
import dev.remus.structures.spec.SetScenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Structures keep their promises when they are full or empty, when a node is lost, and with keys of several words. */
@Tag("any-jdk")
class SimulatedEdgesTest {
    private static final int SCHEDULES = 100;

    /** About the number of waits of a thread in eight operations. */
    private static final int MAX_WAITS = 60;

    @SimulationTest(schedules = SCHEDULES)
    void theBufferedQueueKeepsItsPromisesWhenItIsFullOrItsConsumerFails(Schedule schedule) throws Exception {
        RingEdgesScenario.buffered(2).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void theBufferedQueueKeepsThemInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        RingEdgesScenario.buffered(2).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theRelaxedBufferedQueueKeepsItsPromisesWhenItIsFullOrItsConsumerFails(Schedule schedule) throws Exception {
        RingEdgesScenario.relaxed(2).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void lostThreadsLeaveNoNodeOfALazyListLocked(Schedule schedule) throws Exception {
        new SetLossScenario(SetScenario.lazyList(4, 6, 3, false)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void lostThreadsLeaveNoNodeOfAFastLazyListLocked(Schedule schedule) throws Exception {
        new SetLossScenario(SetScenario.fastLazyList(4, 6, 3, false)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void lostThreadsLeaveNoNodeOfACachedListLocked(Schedule schedule) throws Exception {
        new SetLossScenario(SetScenario.cachedLazyList(4, 6, 3, false, 4)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theLazyListIsLinearizableWithKeysOfTwoWords(Schedule schedule) throws Exception {
        SetScenario.wideLazyList(4, 6, 3, true).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theFastLazyListIsLinearizableWithKeysOfTwoWords(Schedule schedule) throws Exception {
        SetScenario.wideFastLazyList(4, 6, 3, true).run(schedule);
    }

    /** If it broke while a new handle read the thread's cells, the handle took cells that were in use. */
    @Test
    void aThreadOfTheLockFreeQueueContinuesWhereverItsLaneBreaks() throws Exception {
        PooledQueueScenario queue = PooledQueueScenario.lockFree(2, 8, 2);
        for (int wait = 1; wait <= MAX_WAITS; wait++) {
            for (long seed = 0; seed < 8; seed++) {
                queue.run(Schedule.random(seed).withStrikes(new Strike(Fault.BROKEN_LANES, 0, wait)));
            }
        }
    }
}
