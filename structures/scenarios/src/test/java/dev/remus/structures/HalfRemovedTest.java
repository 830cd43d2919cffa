// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.structures.spec.HalfRemovedScenario;
import dev.remus.structures.spec.SetScenario;
import org.junit.jupiter.api.Tag;

/** A lane that breaks between the two halves of a remove, the mark and the unlinking, blocks no other thread. */
@Tag("any-jdk")
class HalfRemovedTest {
    private static final int SCHEDULES = 100;

    @SimulationTest(schedules = SCHEDULES)
    void aThreadThatMeetsAHalfRemovedNodeOfTheLazyListUnlinksIt(Schedule schedule) throws Exception {
        HalfRemovedScenario.lazy(SetScenario.lazyList(4, 8, 3, true)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aThreadThatMeetsAHalfRemovedNodeOfTheFastListUnlinksIt(Schedule schedule) throws Exception {
        HalfRemovedScenario.fast(SetScenario.fastLazyList(4, 8, 3, true)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void aThreadThatMeetsAHalfRemovedNodeOfTheCachedListUnlinksIt(Schedule schedule) throws Exception {
        HalfRemovedScenario.fast(SetScenario.cachedLazyList(4, 8, 3, true, 64)).run(schedule);
    }
}
