// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.sim.Fault;
import dev.remus.simulation.Finding;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.scenario.LockScenario;
import dev.remus.simulation.scenario.ReadWriteLockScenario;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With all faults at once, a thread of a scenario may be lost inside a lock, and the next one is told. */
@Tag("any-jdk")
class LocksUnderAllFaultsTest {
    private static final int SCHEDULES = 100;

    private static List<Scenario> scenarios() {
        return List.of(
                LockScenario.remoteLock(4, 8, 0),
                LockScenario.queueLock(4, 8, 0),
                LockScenario.cohortLock(4, 5, 0),
                new ReadWriteLockScenario(4, 6, ReadWriteLockScenario.Trouble.NONE));
    }

    private static Schedule withAllFaults(long seed) {
        return ScheduleMix.DELAYS_AND_BREAKS.schedule(seed).withoutFaults().withFaults(EnumSet.allOf(Fault.class));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void noFaultIsTakenForAMistakeOfTheLock(Scenario scenario) {
        assertThat(Finding.first(scenario, LocksUnderAllFaultsTest::withAllFaults, 1, SCHEDULES))
                .isEmpty();
    }
}
