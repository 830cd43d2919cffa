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

    private static int of(String scenario, List<String> drawn) {
        return Collections.frequency(drawn, scenario);
    }

    @Test
    void sharesFallWithTheRankAndNoScenarioIsLeftOut() {
        List<String> drawn = drawn(Shares.of(List.of(
                new Shares.Reach("d", 60, 60, 40, 0.1),
                new Shares.Reach("b", 60, 60, 20, 0.3),
                new Shares.Reach("a", 60, 60, 10, 0.4),
                new Shares.Reach("c", 60, 60, 30, 0.2))));
        // 1 + 1/2 + 1/3 + 1/4 is 25/12
        assertThat(of("a", drawn)).isCloseTo(12_000, within(500));
        assertThat(of("b", drawn)).isCloseTo(6_000, within(500));
        assertThat(of("c", drawn)).isCloseTo(4_000, within(500));
        assertThat(of("d", drawn)).isCloseTo(3_000, within(500));
    }

    @Test
    void theDensestScenarioCountsLikeTheMostSpecificOne() {
        List<String> drawn = drawn(Shares.of(List.of(
                new Shares.Reach("specific", 60, 60, 10, 0.001),
                new Shares.Reach("passing", 60, 60, 20, 0.002),
                new Shares.Reach("dense", 60, 60, 30, 0.003))));
        // 1 + 1/3 each, and twice 1/2 between them
        assertThat(of("specific", drawn)).isCloseTo(25_000 * 4 / 11, within(500));
        assertThat(of("dense", drawn)).isCloseTo(25_000 * 4 / 11, within(500));
        assertThat(of("passing", drawn)).isCloseTo(25_000 * 3 / 11, within(500));
    }

    @Test
    void aScenarioThatReachesTheMutantInFewSchedulesHasASmallShare() {
        List<String> drawn = drawn(Shares.of(
                List.of(new Shares.Reach("seldom", 6, 6, 10, 0.2), new Shares.Reach("always", 60, 60, 20, 0.1))));
        // 1/10 of 1 + 1 to 1/2 + 1/2
        assertThat(of("seldom", drawn)).isCloseTo(25_000 / 6, within(500));
    }

    @Test
    void aScenarioInWhichTheMutantDoesTheSameHasASmallShareButOne() {
        List<String> drawn = drawn(
                Shares.of(List.of(new Shares.Reach("same", 60, 0, 10, 0), new Shares.Reach("other", 60, 60, 20, 0.1))));
        // 1/16 of 1 + 1/2 to 1/2 + 1
        assertThat(of("same", drawn)).isCloseTo(25_000 / 17, within(400));
    }

    @Test
    void aSeedHasOneScenario() {
        Shares shares = Shares.of(List.of(new Shares.Reach("a", 3, 3, 5, 0.1), new Shares.Reach("b", 4, 4, 6, 0.1)));
        assertThat(shares.scenario(4711)).isEqualTo(shares.scenario(4711));
        assertThat(Shares.of(List.of(new Shares.Reach("alone", 1, 1, 1, 0.1))).scenario(4711))
                .isEqualTo("alone");
    }
}
