package dev.remus.structures;

import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.structures.spec.RingEdgesScenario;
import dev.remus.structures.spec.SetLossScenario;
import dev.remus.structures.spec.SetScenario;

/** What structures promise when they are full or empty, when a node is lost, and with keys of several words. */
class SimulatedEdgesTest {
    private static final int SCHEDULES = 100;

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
    void whoWaitsInALazyListIsToldWhoIsLost(Schedule schedule) throws Exception {
        new SetLossScenario(SetScenario.lazyList(4, 6, 3, false)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void whoWaitsInAFastLazyListIsToldWhoIsLost(Schedule schedule) throws Exception {
        new SetLossScenario(SetScenario.fastLazyList(4, 6, 3, false)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theLazyListIsLinearizableWithKeysOfTwoWords(Schedule schedule) throws Exception {
        SetScenario.wideLazyList(4, 6, 3, true).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theFastLazyListIsLinearizableWithKeysOfTwoWords(Schedule schedule) throws Exception {
        SetScenario.wideFastLazyList(4, 6, 3, true).run(schedule);
    }
}
