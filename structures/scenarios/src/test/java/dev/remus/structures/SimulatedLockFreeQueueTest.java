// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.structures.FlawedLockFreeQueue.Flaw;
import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lock-free queue is linearizable in the simulator, with all weaknesses of memory. */
@Tag("any-jdk")
class SimulatedLockFreeQueueTest {
    private static final int SCHEDULES = Integer.getInteger("remus.schedules", 100);

    private static final int MAX_SCHEDULES = 4_000;

    /** Shortly before the first schedule that finds the rarest mistake; once schedules change, it takes longer. */
    private static final int FIRST = 2_500;

    /** Pools so small that each cell is reused many times. */
    private static final Scenario RECYCLING = PooledQueueScenario.lockFree(4, 12, 2);

    private static void isClean(Scenario scenario, LongFunction<Schedule> schedules) {
        long first = ThreadLocalRandom.current().nextInt(1 << 30);
        assertThat(Finding.first(scenario, schedules, first, SCHEDULES)).isEmpty();
    }

    @Test
    void theLockFreeQueueIsLinearizableInRandomSchedules() {
        isClean(RECYCLING, Schedule::random);
    }

    @Test
    void theLockFreeQueueIsLinearizableInSchedulesWithFewPriorityChanges() {
        isClean(RECYCLING, seed -> Schedule.pct(seed, 4, 3_000));
    }

    @Test
    void theLockFreeQueueIsLinearizableWithPoolsOfTheSmallestSize() {
        isClean(PooledQueueScenario.lockFree(2, 30, 1), Schedule::random);
    }

    @Test
    void theLockFreeQueueStaysLinearizableAndLockFreeUnderAllFaults() {
        isClean(RECYCLING, seed -> Schedule.random(seed).withFaults(EnumSet.allOf(Fault.class)));
    }

    /** A lane that breaks there leaves the new link of a reused cell behind its old state. */
    @Test
    void noThreadWaitsForTheNewLifeOfACellThatALaneBroke() {
        Scenario breaks = new BrokenLanesScenario(PooledQueueScenario.lockFree(2, 12, 1));
        assertThat(Finding.first(breaks, ScheduleMix.DELAYS_AND_BREAKS::schedule, 1, 400))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        for (long seed = FIRST; seed < FIRST + MAX_SCHEDULES; seed++) {
            Optional<Finding> found = Finding.in(flawed(flaw), schedule(seed));
            if (found.isPresent()) {
                assertThat(Finding.in(flawed(flaw), schedule(seed)))
                        .as("the same seed again")
                        .isEqualTo(found);
                return;
            }
        }
        throw new AssertionError(flaw + " was not found in " + MAX_SCHEDULES + " schedules");
    }

    @Test
    void theQueueWithoutAMistakeIsAccepted() {
        assertThat(Finding.first(flawed(Flaw.NONE), SimulatedLockFreeQueueTest::schedule, 0, SCHEDULES))
                .isEmpty();
    }

    private static Scenario flawed(Flaw flaw) {
        return PooledQueueScenario.lockFree(4, 12, 1)
                .of(FlawedLockFreeQueue::create, (This, ct) -> new FlawedLockFreeQueue(This, flaw, ct));
    }

    /** Makes schedules, every second of which pauses a thread while the others continue. */
    private static Schedule schedule(long seed) {
        return seed % 2 == 0
                ? Schedule.pct(seed, 4, 2_000)
                : Schedule.random(seed).withFaults(EnumSet.of(Fault.PAUSED_THREADS));
    }
}
