// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.ScheduleMix;
import dev.remus.structures.FlawedScalableQueue.Flaw;
import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.QueueLossScenario;
import dev.remus.structures.spec.ScalableEdgesScenario;
import dev.remus.structures.spec.SlowThreadsScenario;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scalable queue is linearizable in the simulator, with all weaknesses of memory. */
@Tag("any-jdk")
class SimulatedScalableQueueTest {
    private static final int SCHEDULES = Integer.getInteger("remus.schedules", 200);

    private static final int MAX_SCHEDULES = 6_000;

    private static void isClean(Scenario scenario) {
        long first = ThreadLocalRandom.current().nextInt(1 << 30);
        assertThat(Finding.first(scenario, ScheduleMix.DELAYS_AND_BREAKS::schedule, first, SCHEDULES))
                .isEmpty();
    }

    @Test
    void theScalableQueueIsLinearizableWithEmptyAndFull() {
        isClean(PooledQueueScenario.scalable(4, 8, 2));
    }

    @Test
    void theScalableQueueIsLinearizableWhenAThreadWasAwayForMoreTurnsThanAreCounted() {
        isClean(PooledQueueScenario.scalableLate(6, 8, 1));
    }

    @Test
    void noItemIsLostWhenAThreadComesBackToACellAfterSeveralTurns() {
        isClean(new SlowThreadsScenario(PooledQueueScenario.scalableLate(4, 24, 1)));
    }

    @Test
    void operationsTakeFewRoundTripsAndAThreadThatWaitsKeepsItsPlace() {
        isClean(new ScalableEdgesScenario(3));
    }

    @Test
    void theScalableQueueIsLinearizableWithRoomForOneItem() {
        isClean(PooledQueueScenario.scalable(4, 12, 1));
    }

    @Test
    void theScalableQueueIsLinearizableWhenItsThreadsWait() {
        isClean(BufferedQueueScenario.scalable(4, 6, 2));
    }

    @Test
    void aLostThreadOrABrokenLaneBlocksNoOtherThread() {
        isClean(new QueueLossScenario(PooledQueueScenario.scalable(4, 8, 2)));
    }

    @Test
    void brokenLanesLeaveTheQueueLinearizableAndNoThreadWaiting() {
        isClean(new BrokenLanesScenario(PooledQueueScenario.scalable(4, 8, 1)));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        Optional<Finding> found =
                Finding.first(flawed(flaw), ScheduleMix.DELAYS_AND_BREAKS::schedule, 1, MAX_SCHEDULES);
        assertThat(found).as("a finding within " + MAX_SCHEDULES + " schedules").isPresent();
        long seed = found.get().seed();
        assertThat(Finding.in(flawed(flaw), ScheduleMix.DELAYS_AND_BREAKS.schedule(seed)))
                .as("the same seed again")
                .isEqualTo(found);
    }

    @Test
    void theQueueWithoutAMistakeIsAccepted() {
        isClean(flawed(Flaw.NONE));
    }

    private static Scenario flawed(Flaw flaw) {
        PooledQueueScenario scenario = flaw.aheadBits == 1
                ? PooledQueueScenario.scalableLate(flaw.threads, 8, flaw.capacity)
                : PooledQueueScenario.scalable(flaw.threads, 8, flaw.capacity);
        return scenario.of(
                FlawedScalableQueue.creator(flaw.aheadBits), (This, ct) -> new FlawedScalableQueue(This, flaw, ct));
    }
}
