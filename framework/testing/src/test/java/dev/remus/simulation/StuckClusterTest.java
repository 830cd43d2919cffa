// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.sim.StuckException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StuckClusterTest {
    /** AssertJ stands for an importer's structure: its classes are outside dev.remus, too. */
    @Test
    void aStuckThreadIsListedWithTheFramesOfAnImportersClasses() {
        SimulatedCluster cluster = new SimulatedCluster(2, Schedule.random(1)).within(20_000);
        assertThatThrownBy(() -> cluster.run(ct -> assertThat(ct.root()).satisfies(root -> {
                    while (root.get().isNull()) {
                        ct.pause();
                    }
                })))
                .isInstanceOf(StuckException.class)
                .message()
                .startsWith("no end after 20000 steps")
                .contains("\n    at org.assertj.core.api.AbstractAssert.satisfies(")
                .contains("\n    at dev.remus.node.ComputeThread.pause(ComputeThread.java:")
                .doesNotContain("app//")
                .doesNotContain("$$Lambda")
                .doesNotContain("at java.");
    }
}
