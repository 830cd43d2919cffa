// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void theCountersOfAllThreadsOfAPhaseAreAddedUp() {
        Progress progress = new Progress();
        assertThat(progress.current()).isEmpty();
        progress.phase("prefill", 10, 20).counter().set(10);
        progress.phase("run", 100, 200).counter().set(3);
        progress.phase("run", 100, 200).counter().set(4);
        Progress.Phase current = progress.current().orElseThrow();
        assertThat(current.name()).isEqualTo("run");
        assertThat(current.done()).isEqualTo(7);
        assertThat(current.nodeTotal()).isEqualTo(100);
        assertThat(current.clusterTotal()).isEqualTo(200);
    }

    @Test
    void aTimedPhaseIsShownByTheElapsedTime() {
        List<String> shown = new ArrayList<>();
        Progress progress = new Progress();
        Progress.Phase phase = progress.timedPhase("run", 1_000_000);
        phase.counter().set(5);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 1_000_000) {
            Thread.onSpinWait();
        }
        phase.showTo(
                new ProgressView() {
                    @Override
                    public void show(String name, long done, long total) {
                        shown.add("counted");
                    }

                    @Override
                    public void showTime(String name, long done, long millis, long ofMillis) {
                        shown.add(name + " " + done + " in " + millis + " of " + ofMillis);
                    }

                    @Override
                    public void close() {}
                },
                true);
        assertThat(shown).containsExactly("run 5 in 1 of 1");
    }

    @Test
    void aLateThreadDoesNotBringBackThePreviousPhase() {
        Progress progress = new Progress();
        progress.phase("prefill", 10, 20);
        progress.phase("run", 100, 200);
        progress.phase("prefill", 10, 20).counter().set(1);
        assertThat(progress.current().orElseThrow().name()).isEqualTo("run");
    }
}
