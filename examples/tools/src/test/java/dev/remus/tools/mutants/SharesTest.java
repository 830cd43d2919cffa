// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {
    private static List<String> drawn(Shares shares) {
        List<String> drawn = new ArrayList<>();
        for (long seed = 1; seed <= 25_000; seed++) {
            drawn.add(shares.scenario(seed));
        }
        return drawn;
    }

    @Test
    void sharesFallWithTheRankAndNoScenarioIsLeftOut() {
        List<String> drawn = drawn(Shares.of(List.of(
                new Shares.Reach("d", 60, 60, 40),
                new Shares.Reach("b", 60, 60, 20),
                new Shares.Reach("a", 60, 60, 10),
                new Shares.Reach("c", 60, 60, 30))));
        // 1 + 1/2 + 1/3 + 1/4 is 25/12
        assertThat(Collections.frequency(drawn, "a")).isCloseTo(12_000, within(500));
        assertThat(Collections.frequency(drawn, "b")).isCloseTo(6_000, within(500));
        assertThat(Collections.frequency(drawn, "c")).isCloseTo(4_000, within(500));
        assertThat(Collections.frequency(drawn, "d")).isCloseTo(3_000, within(500));
    }

    @Test
    void aScenarioThatReachesTheMutantInFewSchedulesHasASmallShare() {
        List<String> drawn =
                drawn(Shares.of(List.of(new Shares.Reach("seldom", 6, 6, 10), new Shares.Reach("always", 60, 60, 20))));
        assertThat(Collections.frequency(drawn, "seldom")).isCloseTo(25_000 / 6, within(500));
    }

    @Test
    void aScenarioInWhichTheMutantDoesTheSameHasASmallShareButOne() {
        List<String> drawn =
                drawn(Shares.of(List.of(new Shares.Reach("same", 60, 0, 10), new Shares.Reach("other", 60, 60, 20))));
        // 1/16 to 1/2
        assertThat(Collections.frequency(drawn, "same")).isCloseTo(25_000 / 9, within(400));
    }

    @Test
    void aSeedHasOneScenario() {
        Shares shares = Shares.of(List.of(new Shares.Reach("a", 3, 3, 5), new Shares.Reach("b", 4, 4, 6)));
        assertThat(shares.scenario(4711)).isEqualTo(shares.scenario(4711));
        assertThat(Shares.of(List.of(new Shares.Reach("alone", 1, 1, 1))).scenario(4711))
                .isEqualTo("alone");
    }
}
