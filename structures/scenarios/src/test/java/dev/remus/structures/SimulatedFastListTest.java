// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import dev.remus.structures.FlawedFastList.Flaw;
import dev.remus.structures.spec.SetCrowdScenario;
import dev.remus.structures.spec.SetScenario;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shipped fast lazy lists are right in the simulator, which finds each known mistake. */
@Tag("any-jdk")
class SimulatedFastListTest {
    private static final int SCHEDULES = 60;
    private static final int MAX_SCHEDULES = 3_000;

    /** A seed shortly before the one that finds the rarest mistake. */
    private static final long FIRST_SEED = 100;

    private static final SetScenario FAST = SetScenario.fastLazyList(4, 8, 3, true);
    private static final SetScenario CACHED = SetScenario.cachedLazyList(4, 8, 3, true, 64);
    private static final SetScenario HARDLY_CACHED = SetScenario.cachedLazyList(4, 8, 3, true, 2);

    @SimulationTest(schedules = SCHEDULES)
    void theFastListIsLinearizableInRandomSchedules(Schedule schedule) throws Exception {
        FAST.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theCachedListIsLinearizableInRandomSchedules(Schedule schedule) throws Exception {
        CACHED.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theCachedListIsLinearizableWhenItsCacheIsTooSmall(Schedule schedule) throws Exception {
        HARDLY_CACHED.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void theCachedListIsLinearizableInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        CACHED.run(schedule);
    }

    @SimulationTest(
            schedules = SCHEDULES,
            faults = {Fault.STOPPED_THREADS, Fault.PAUSED_THREADS, Fault.SLOW_NODES, Fault.SKEWED_CLOCKS})
    void theCachedListIsLinearizableWhenThreadsStop(Schedule schedule) throws Exception {
        CACHED.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theKeysOfEachThreadStayInTheFastListWhileAllChangeTheSameNodes(Schedule schedule) throws Exception {
        new SetCrowdScenario(SetScenario.fastLazyList(6, 6, 1, false)).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theFastListWithoutAMistakeIsAccepted(Schedule schedule) throws Exception {
        with(Flaw.NONE).run(schedule);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void eachMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) throws Exception {
        Optional<Finding> found = Finding.first(with(flaw), Schedule::random, FIRST_SEED, MAX_SCHEDULES);
        assertThat(found).isPresent();
        assertThat(Finding.in(with(flaw), Schedule.random(found.get().seed())))
                .as("the same seed again")
                .isEqualTo(found);
    }

    private static SetScenario with(Flaw flaw) {
        return SetScenario.lazyList(4, 12, 3, true).of(FlawedFastList::create, This -> new FlawedFastList(This, flaw));
    }
}
