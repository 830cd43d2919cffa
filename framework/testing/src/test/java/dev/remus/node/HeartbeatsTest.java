// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private static final long SECOND = 1_000_000_000L;

    private final Heartbeats heartbeats = new Heartbeats("Compute Node 1", "Compute Node 2");
    private final List<String> reports = new ArrayList<>();

    private void see(int second, int node, long heartbeat) {
        heartbeats.begin(second * SECOND);
        heartbeats.see(node, heartbeat, second * SECOND).ifPresent(reports::add);
    }

    @Test
    void aNodeThatIsSilentForMoreThan5SecondsIsReportedOnceAndSoIsItsReturn() {
        for (int second = 100; second < 103; second++) {
            see(second, 1, second);
        }
        for (int second = 103; second <= 107; second++) {
            see(second, 1, 102);
        }
        assertThat(reports).isEmpty();
        for (int second = 108; second < 120; second++) {
            see(second, 1, 102);
        }
        assertThat(reports)
                .containsExactly(
                        "Compute Node 2 has been silent for 6 s: its process is stopped or held up, or its link is down."
                                + " The others wait for it");
        for (int second = 120; second < 130; second++) {
            see(second, 1, second);
        }
        assertThat(reports).hasSize(2).last().isEqualTo("Compute Node 2 answers again, after 18 s");
    }

    @Test
    void aNodeThatWasStoppedItselfReportsNoOther() {
        see(100, 0, 7);
        see(101, 0, 8);
        see(161, 0, 8); // it was stopped for a minute, and the other may have been too
        see(162, 0, 8);
        assertThat(reports).isEmpty();
        for (int second = 163; second <= 167; second++) {
            see(second, 0, 8);
        }
        assertThat(reports).hasSize(1);
    }

    @Test
    void theLengthOfASilenceIsKnownAndThatOfThisNodeDoesNotCount() {
        see(100, 0, 7);
        see(101, 0, 8);
        see(103, 0, 8);
        assertThat(heartbeats.silentNanos(0, 103 * SECOND)).isEqualTo(2 * SECOND);
        see(163, 0, 8);
        assertThat(heartbeats.silentNanos(0, 163 * SECOND)).isZero();
        see(164, 0, 8);
        assertThat(heartbeats.silentNanos(0, 164 * SECOND)).isEqualTo(SECOND);
        see(165, 0, 9);
        assertThat(heartbeats.silentNanos(0, 165 * SECOND)).isZero();
    }

    @Test
    void aNodeThatHasNotJoinedYetOrHasLeftIsNotReported() {
        for (int second = 100; second < 120; second++) {
            see(second, 0, 0);
        }
        for (int second = 120; second < 140; second++) {
            see(second, 0, second < 127 ? 5 : 0);
        }
        assertThat(reports).as("silent, and then it left").hasSize(1);
    }
}
