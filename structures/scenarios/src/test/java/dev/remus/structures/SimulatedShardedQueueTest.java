// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.record.Codecs;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.ScheduleMix;
import dev.remus.structures.FlawedShardedQueue.Flaw;
import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.QueueLossScenario;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each shard of the sharded queue is linearizable in the simulator, with all weaknesses of memory. */
@Tag("any-jdk")
class SimulatedShardedQueueTest {
    private static final int SCHEDULES = Integer.getInteger("remus.schedules", 200);
    private static final int MAX_SCHEDULES = 2_000;

    private static void isClean(Scenario scenario) {
        assertThat(Finding.first(scenario, ScheduleMix.DELAYS_AND_BREAKS::schedule, 1, SCHEDULES))
                .isEmpty();
    }

    @Test
    void eachShardIsLinearizableWithEmptyAndFull() {
        isClean(PooledQueueScenario.sharded(4, 8, 2));
    }

    @Test
    void aLostThreadOrABrokenLaneBlocksNoOtherThread() {
        isClean(new QueueLossScenario(PooledQueueScenario.sharded(4, 8, 2)));
    }

    @Test
    void brokenLanesLeaveEachShardLinearizableAndNoThreadWaiting() {
        isClean(new BrokenLanesScenario(PooledQueueScenario.sharded(4, 8, 1)));
    }

    @Test
    void theQueueWithoutAMistakeIsAccepted() {
        isClean(flawed(Flaw.NONE));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyKnownMistakeIsFoundAndFoundAgainWithTheSameSeed(Flaw flaw) {
        Optional<Finding> found =
                Finding.first(flawed(flaw), ScheduleMix.DELAYS_AND_BREAKS::schedule, 1, MAX_SCHEDULES);
        assertThat(found).isPresent();
        long seed = found.get().seed();
        assertThat(Finding.in(flawed(flaw), ScheduleMix.DELAYS_AND_BREAKS.schedule(seed)))
                .as("the same seed again")
                .isEqualTo(found);
    }

    private static Scenario flawed(Flaw flaw) {
        return PooledQueueScenario.sharded(4, 8, 2)
                .of(
                        (n, ct) -> ShardedQueue.create(2 * n, 2, Codecs.LONG, ct),
                        (This, ct) -> new FlawedShardedQueue(This, flaw, ct));
    }
}
