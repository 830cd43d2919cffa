// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.buffered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FairnessTest {
    @Test
    void equalSharesAreFairAndOneShareOfNIsWorthOneNth() {
        assertThat(Fairness.jain(7, 7, 7)).isEqualTo(1);
        assertThat(Fairness.jain(0, 5, 0, 0)).isEqualTo(0.25);
        assertThat(Fairness.jain(1, 3)).isCloseTo(0.8, within(1e-9));
    }

    @Test
    void noSharesAreFair() {
        assertThat(Fairness.jain()).isEqualTo(1);
        assertThat(Fairness.jain(0, 0)).isEqualTo(1);
    }
}
