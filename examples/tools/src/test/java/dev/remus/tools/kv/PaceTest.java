// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void threadsTakeTurnsAtEqualDistances() {
        Pace first = new Pace(1000, 0, 2, 50);
        Pace second = new Pace(1000, 1, 2, 50);
        assertThat(first.next()).isEqualTo(50);
        assertThat(second.next()).isEqualTo(1_000_050);
        first.advance();
        assertThat(first.next()).isEqualTo(2_000_050);
    }

    @Test
    void timesDoNotDriftFromTheRate() {
        Pace pace = new Pace(3, 0, 1, 0);
        for (int i = 0; i < 3_000; i++) {
            pace.advance();
        }
        assertThat(pace.next()).isEqualTo(1_000_000_000_000L);
    }
}
