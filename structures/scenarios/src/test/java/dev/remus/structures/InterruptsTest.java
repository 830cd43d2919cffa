// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.scenario.LockInterruptsScenario;
import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.SetBreaksScenario;
import dev.remus.structures.spec.SetScenario;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads that are interrupted while they wait, under locks, sets and queues. */
@Tag("any-jdk")
class InterruptsTest {
    private static final int SCHEDULES = 60;

    static Stream<Scenario> scenarios() {
        return Stream.of(
                LockInterruptsScenario.remoteLock(4, 6),
                LockInterruptsScenario.queueLock(4, 6),
                LockInterruptsScenario.cohortLock(4, 6),
                LockInterruptsScenario.readWriteLock(4, 6),
                new SetBreaksScenario(SetScenario.lazyList(4, 8, 3, false), Fault.INTERRUPTED_THREADS),
                new SetBreaksScenario(SetScenario.fastLazyList(4, 8, 3, false), Fault.INTERRUPTED_THREADS),
                new SetBreaksScenario(SetScenario.cachedLazyList(4, 8, 3, false, 4), Fault.INTERRUPTED_THREADS),
                new SetBreaksScenario(SetScenario.lockFreeList(4, 8, 3, false), Fault.INTERRUPTED_THREADS),
                new BrokenLanesScenario(PooledQueueScenario.lockFree(4, 8, 2), Fault.INTERRUPTED_THREADS),
                new BrokenLanesScenario(PooledQueueScenario.scalable(4, 8, 1), Fault.INTERRUPTED_THREADS),
                new BrokenLanesScenario(PooledQueueScenario.sharded(4, 8, 1), Fault.INTERRUPTED_THREADS));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void allThreadsGoOnAfterAnInterruptWhateverTheyWaitedFor(Scenario scenario) {
        assertThat(Finding.first(scenario, ScheduleMix.DELAYS_AND_BREAKS::schedule, 1, SCHEDULES))
                .isEmpty();
    }
}
