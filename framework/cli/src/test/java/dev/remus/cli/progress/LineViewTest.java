// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LineViewTest {
    @Test
    void aLineHasTheWorkDoneAndTheTimeLeft() {
        assertThat(LineView.line("run", 2000, 8000, 2_000_000_000L)).isEqualTo("run: 2,000 of 8,000 (25 %), 6 s left");
    }

    @Test
    void aLineWithoutWorkDoneHasNoTimeLeft() {
        assertThat(LineView.line("run", 0, 8000, 2_000_000_000L)).isEqualTo("run: 0 of 8,000 (0 %)");
    }

    @Test
    void aTimedPhaseShowsTheTimeAndTheWorkDone() {
        assertThat(LineView.timeLine("run", 1234, 2567, 10_000)).isEqualTo("run: 1,234 in 2.5 of 10 s (26 %)");
        assertThat(LineView.timeLine("run", 7, 500, 500)).isEqualTo("run: 7 in 0.5 of 0.5 s (100 %)");
    }

    @Test
    void aCompletePhaseIsShownOnce() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AtomicLong now = new AtomicLong();
        LineView view = new LineView(new PrintStream(out, true, UTF_8), () -> now.addAndGet(2_000_000_000L));
        for (int done = 0; done <= 4; done++) {
            view.show("run", Math.min(done, 2), 2);
        }
        view.show("check", 0, 2);
        view.show("check", 1, 2);
        assertThat(out.toString(UTF_8).lines())
                .containsExactly(
                        "run: 1 of 2 (50 %), 2 s left",
                        "run: 2 of 2 (100 %), 0 s left", "check: 1 of 2 (50 %), 2 s left");
    }
}
