// SPDX-License-Identifier: Apache-2.0
package dev.remus.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ClockBoundsTest {
    @Test
    void aReadingWasTakenBetweenQuestionAndAnswer() {
        ClockBounds bounds = ClockBounds.of(100, 1_000, 140);
        assertThat(bounds).isEqualTo(new ClockBounds(860, 900));
        assertThat(bounds.error()).isEqualTo(20);
        assertThat(bounds.earliest(1_000)).isEqualTo(100);
        assertThat(bounds.latest(1_000)).isEqualTo(140);
    }

    @Test
    void theShortestRoundTripCounts() {
        ClockBounds wide = new ClockBounds(0, 100);
        ClockBounds narrow = new ClockBounds(90, 110);
        assertThat(wide.tighter(narrow)).isEqualTo(narrow);
        assertThat(narrow.tighter(wide)).isEqualTo(narrow);
    }

    @Test
    void driftWidensTheBounds() {
        ClockBounds bounds = new ClockBounds(0, 10).until(new ClockBounds(30, 40));
        assertThat(bounds).isEqualTo(new ClockBounds(-30, 70));
        assertThat(ClockBounds.SAME.until(ClockBounds.SAME)).isEqualTo(ClockBounds.SAME);
    }

    @Test
    void aBoundBelowTheOtherIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ClockBounds(2, 1));
    }
}
