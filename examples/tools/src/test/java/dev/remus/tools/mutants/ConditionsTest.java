package dev.remus.tools.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    @Test
    void theSharesOfScenariosFallWithTheirRankAndNoneIsLeftOut() {
        List<String> scenarios = List.of("a", "b", "c", "d");
        List<String> drawn = new ArrayList<>();
        for (long seed = 1; seed <= 25_000; seed++) {
            drawn.add(Conditions.scenario(scenarios, seed));
        }
        // 1 + 1/2 + 1/3 + 1/4 is 25/12
        assertThat(Collections.frequency(drawn, "a")).isCloseTo(12_000, within(500));
        assertThat(Collections.frequency(drawn, "b")).isCloseTo(6_000, within(500));
        assertThat(Collections.frequency(drawn, "c")).isCloseTo(4_000, within(500));
        assertThat(Collections.frequency(drawn, "d")).isCloseTo(3_000, within(500));
    }

    @Test
    void aSeedHasOneScenario() {
        assertThat(Conditions.scenario(List.of("a", "b", "c"), 4711))
                .isEqualTo(Conditions.scenario(List.of("a", "b", "c"), 4711));
        assertThat(Conditions.scenario(List.of("alone"), 4711)).isEqualTo("alone");
    }
}
