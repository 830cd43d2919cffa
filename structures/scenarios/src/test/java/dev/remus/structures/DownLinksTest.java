// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.scenario.LaneRecoveryScenario;
import dev.remus.simulation.scenario.LockBreaksScenario;
import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.SetBreaksScenario;
import dev.remus.structures.spec.SetScenario;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links that are down for a while, under everything that goes on when single lanes break. */
@Tag("any-jdk")
class DownLinksTest {
    private static final int SCHEDULES = 60;

    static Stream<Scenario> scenarios() {
        return Stream.of(
                new LaneRecoveryScenario(4, 16, Fault.DOWN_LINKS),
                new LockBreaksScenario(4, 6, Fault.DOWN_LINKS),
                new SetBreaksScenario(SetScenario.lazyList(4, 8, 3, false), Fault.DOWN_LINKS),
                new SetBreaksScenario(SetScenario.fastLazyList(4, 8, 3, false), Fault.DOWN_LINKS),
                new SetBreaksScenario(SetScenario.cachedLazyList(4, 8, 3, false, 4), Fault.DOWN_LINKS),
                new SetBreaksScenario(SetScenario.lockFreeList(4, 8, 3, false), Fault.DOWN_LINKS),
                new BrokenLanesScenario(PooledQueueScenario.lockFree(4, 8, 2), Fault.DOWN_LINKS),
                new BrokenLanesScenario(PooledQueueScenario.decentralizedLock(4, 8, 2), Fault.DOWN_LINKS),
                new BrokenLanesScenario(PooledQueueScenario.centralizedLock(4, 8, 2), Fault.DOWN_LINKS));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void allThreadsGoOnWhenTheLinkIsBackWithResultsAsIfSingleLanesHadBroken(Scenario scenario) {
        assertThat(Finding.first(scenario, ScheduleMix.DELAYS_AND_BREAKS::schedule, 1, SCHEDULES))
                .isEmpty();
    }
}
