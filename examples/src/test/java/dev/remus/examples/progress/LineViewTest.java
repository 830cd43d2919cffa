package dev.remus.examples.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineViewTest {
    @Test
    void aLineSaysHowMuchIsDoneAndHowLongItWillTake() {
        assertThat(LineView.line("run", 2000, 8000, 2_000_000_000L)).isEqualTo("run: 2,000 of 8,000 (25 %), 6 s left");
    }

    @Test
    void nothingDoneYetTellsNothingAboutTheTime() {
        assertThat(LineView.line("run", 0, 8000, 2_000_000_000L)).isEqualTo("run: 0 of 8,000 (0 %)");
    }
}
