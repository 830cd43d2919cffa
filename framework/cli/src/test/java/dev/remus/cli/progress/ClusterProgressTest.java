// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterProgressTest {
    private final List<String> shown = new ArrayList<>();
    private final ClusterProgress progress = new ClusterProgress(new ProgressView() {
        @Override
        public void show(String phase, long done, long total) {
            shown.add(phase + " " + done + " " + total);
        }

        @Override
        public void showTime(String phase, long done, long millis, long ofMillis) {
            shown.add(phase + " " + done + " in " + millis + " of " + ofMillis);
        }

        @Override
        public void close() {
            shown.add("closed");
        }
    });

    @Test
    void theWorkOfTheNodesIsAddedUp() {
        progress.report(1, "run", 10, 100);
        progress.report(2, "run", 5, 100);
        progress.report(1, "run", 20, 100);
        assertThat(shown).containsExactly("run 10 100", "run 15 100", "run 25 100");
    }

    @Test
    void theNewestPhaseIsShownAndLateReportsOfTheOneBeforeAreIgnored() {
        progress.report(1, "prefill", 10, 20);
        progress.report(2, "run", 1, 100);
        progress.report(1, "prefill", 10, 20);
        progress.report(1, "run", 2, 100);
        assertThat(shown).containsExactly("prefill 10 20", "run 1 100", "run 3 100");
    }

    @Test
    void theElapsedTimeNeverDecreasesWhenNodesDiffer() {
        progress.reportTime(1, "run", 10, 900, 2000);
        progress.reportTime(2, "run", 5, 700, 2000);
        progress.reportTime(2, "run", 8, 1000, 2000);
        assertThat(shown).containsExactly("run 10 in 900 of 2000", "run 15 in 900 of 2000", "run 18 in 1000 of 2000");
    }

    @Test
    void nothingIsShownAfterTheEnd() {
        progress.report(1, "run", 10, 100);
        progress.close();
        progress.report(1, "run", 20, 100);
        assertThat(shown).containsExactly("run 10 100", "closed");
    }
}
