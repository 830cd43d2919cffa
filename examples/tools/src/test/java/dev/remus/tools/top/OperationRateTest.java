// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationRateTest {
    private static final Map<String, String> PREFILLED = Map.of("figure.work", "prefill 500");

    @Test
    void aSpeedIsThatWithinOnePhase() {
        Map<String, String> later = Map.of("figure.work", "prefill 700");
        assertThat(OperationRate.between(PREFILLED, later, 0.5)).contains(new OperationRate("prefill", 400));
    }

    @Test
    void noSpeedIsComputedAcrossTwoPhases() {
        assertThat(OperationRate.between(PREFILLED, Map.of("figure.work", "run 9"), 1))
                .isEmpty();
    }

    @Test
    void aProgramThatCountsNoWorkHasNoSpeed() {
        assertThat(OperationRate.between(Map.of(), Map.of(), 1)).isEmpty();
        assertThat(OperationRate.between(PREFILLED, Map.of("figure.work", ""), 1))
                .isEmpty();
    }

    @Test
    void theFirstPhaseCountsFromZero() {
        OperationRate first = new OperationRate("prefill", 250);
        assertThat(OperationRate.between(Map.of("figure.work", ""), PREFILLED, 2))
                .contains(first);
        assertThat(OperationRate.between(Map.of(), PREFILLED, 2)).contains(first);
    }
}
