// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class TrialTableTest {
    private final TrialTable table = new TrialTable();

    TrialTableTest() {
        table.add(Map.of("threads", 1), Map.of("speed", 10.0));
        table.add(Map.of("threads", 1), Map.of("speed", 14.0));
        table.add(Map.of("threads", 2), Map.of("speed", 2000.0));
    }

    @Test
    void aMeanIsOverAllRunsUnderTheSameConditions() {
        assertThat(table.mean("speed", Map.of("threads", 1))).isEqualTo(12);
        assertThat(table.values("speed", Map.of("threads", 1))).containsExactly(10.0, 14.0);
        assertThat(table.conditions("threads", Map.of())).isEqualTo(List.of("1", "2"));
    }

    @Test
    void aMeanOfNoRunsIsAnError() {
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> table.mean("speed", Map.of("threads", 3)))
                .withMessageContaining("threads=3");
    }

    @Test
    void theTextHasALineForEachConditionWithTheNumberOfRuns() {
        assertThat(table.toText(Map.of())).isEqualTo("""
                threads  n  speed
                      1  2   12.0
                      2  1  2,000
                """);
    }

    @Test
    void theFileHasALineForEachRun() {
        assertThat(table.runs(Map.of()).rows()).hasSize(3).contains(Map.of("threads", "1", "speed", "14.0000"));
    }
}
