// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.junit.SimulationTest;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reclamation by epochs is right in the simulator, which finds each known mistake. */
@Tag("any-jdk")
class EpochScenarioTest {
    private static final int SCHEDULES = 50;
    private static final int MAX_SCHEDULES = 20_000;
    private static final Scenario EPOCHS = EpochScenario.shipped(4, 12, false);
    private static final Scenario LOSS = EpochScenario.shipped(4, 12, true);

    private static final Set<FlawedEpochs.Flaw> NEED_A_LOSS =
            EnumSet.of(FlawedEpochs.Flaw.DEAD_THREAD_AWAITED, FlawedEpochs.Flaw.LOST_ANNOUNCEMENT_NOT_REPEATED);

    /** The lanes of a thread that break in the search for an announcement that is lost. */
    private static final int BREAKS = 12;

    private static final int LATEST_BREAK = 400;

    @SimulationTest(schedules = SCHEDULES)
    void noBlockIsReusedUnderAThreadThatHoldsAPointerToIt(Schedule schedule) throws Exception {
        EPOCHS.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES, scheduler = SchedulerKind.PCT)
    void noBlockIsReusedEarlyInSchedulesWithFewPriorityChanges(Schedule schedule) throws Exception {
        EPOCHS.run(schedule);
    }

    @SimulationTest(
            schedules = 2 * SCHEDULES,
            faults = {
                Fault.STOPPED_THREADS,
                Fault.PAUSED_THREADS,
                Fault.LOST_COMPUTE_NODES,
                Fault.LOST_MEMORY_NODES,
                Fault.BROKEN_LANES,
                Fault.SLOW_NODES,
                Fault.SKEWED_CLOCKS,
                Fault.LATE_REQUESTS
            })
    void noBlockIsReusedEarlyUnderAllFaults(Schedule schedule) throws Exception {
        EPOCHS.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void aLostNodeADelayedThreadAndABrokenLaneHoldNoBlockUpForEver(Schedule schedule) throws Exception {
        LOSS.run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void noBlockIsReusedUnderAThreadThatComesBackFromWorkOffline(Schedule schedule) throws Exception {
        new ComeBackScenario(2, 4).run(schedule);
    }

    @SimulationTest(schedules = SCHEDULES)
    void theScenarioAcceptsEpochsWithoutAMistake(Schedule schedule) throws Exception {
        new EpochScenario(4, 12, schedule.seed() % 2 == 0, FlawedEpochs.factory(FlawedEpochs.Flaw.NONE)).run(schedule);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "NONE",
                "BACK_ONLINE_UNPLACED",
                "ANNOUNCED_INSIDE",
                "ENTERED_WITHOUT_RESERVE",
                "FREED_AFTER_THREE_EPOCHS"
            })
    void everyMistakeIsFound(FlawedEpochs.Flaw flaw) {
        boolean hasLoss = NEED_A_LOSS.contains(flaw);
        Scenario scenario = new EpochScenario(4, 12, hasLoss, FlawedEpochs.factory(flaw));
        Optional<Finding> found = Finding.first(scenario, ScheduleMix.DELAYS_AND_BREAKS::schedule, 0, MAX_SCHEDULES);
        assertThat(found).isPresent();
    }

    /**
     * The announcement must be lost with its lane, and the epoch must move on twice before the thread is done with a
     * pointer: about one of 700 schedules in which two threads alone hold the epoch up, and many lanes break.
     */
    @Test
    void aThreadThatComesOnlineUnplacedIsFound() {
        Scenario scenario =
                new EpochScenario(2, 80, false, FlawedEpochs.factory(FlawedEpochs.Flaw.BACK_ONLINE_UNPLACED));
        assertThat(Finding.first(scenario, EpochScenarioTest::withBreaks, 0, MAX_SCHEDULES))
                .isPresent();
    }

    @SimulationTest(schedules = SCHEDULES)
    void manyBrokenLanesLeadToNoEarlyReuse(Schedule schedule) throws Exception {
        new EpochScenario(2, 80, false, FlawedEpochs.factory(FlawedEpochs.Flaw.NONE)).run(withBreaks(schedule.seed()));
    }

    private static Schedule withBreaks(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Strike[] breaks = IntStream.range(0, 2 * BREAKS)
                .mapToObj(i -> new Strike(Fault.BROKEN_LANES, i % 2, 1 + random.nextInt(LATEST_BREAK)))
                .toArray(Strike[]::new);
        return ScheduleMix.DELAYS.schedule(seed).withFaults(Set.of()).withStrikes(breaks);
    }
}
