// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.VainWaitScenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waits for a thread whose node is lost, and which some Memory Node never cuts off. */
@Tag("any-jdk")
class VainWaitScenarioTest {
    private static final int SCHEDULES = 200;

    @Test
    void eachWaitForALostThreadThatIsNeverCutOffEndsWithItsNode() {
        VainWaitScenario scenario = new VainWaitScenario(BufferedQueueScenario.buffered(4, 1, 2));
        assertThat(Finding.first(scenario, Schedule::random, 0, SCHEDULES)).isEmpty();
    }

    @Test
    void eachWaitEndsSoWithTheRelaxedQueueToo() {
        VainWaitScenario scenario = new VainWaitScenario(BufferedQueueScenario.relaxed(4, 1, 2));
        assertThat(Finding.first(scenario, Schedule::random, 0, SCHEDULES)).isEmpty();
    }
}
