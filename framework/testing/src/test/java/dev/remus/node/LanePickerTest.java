// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.LanePolicy;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LanePickerTest {
    private static int[] picks(LanePolicy policy, int lanes, int thread, int n) {
        LanePicker picker = new LanePicker(policy, lanes, thread, 1);
        return IntStream.range(0, n).map(i -> picker.pick()).toArray();
    }

    @Test
    void roundRobinUsesTheLanesInTurnFromTheThreadsOwnOn() {
        assertThat(picks(LanePolicy.RR, 3, 4, 7)).containsExactly(1, 2, 0, 1, 2, 0, 1);
    }

    @Test
    void moduloAndOneToOneStayOnTheLaneOfTheThread() {
        assertThat(picks(LanePolicy.MOD, 3, 4, 4)).containsOnly(1);
        assertThat(picks(LanePolicy.ONE_TO_ONE, 5, 4, 4)).containsOnly(4);
    }

    @Test
    void aThreadHasItsLaneForItselfIfItKeepsToItAndThereAreEnough() {
        assertThat(isOfOneThread(LanePolicy.MOD, 4, 3)).isTrue();
        assertThat(isOfOneThread(LanePolicy.ONE_TO_ONE, 4, 3)).isTrue();
        assertThat(isOfOneThread(LanePolicy.MOD, 3, 3))
                .as("two threads share a lane")
                .isFalse();
        assertThat(isOfOneThread(LanePolicy.MOD, 4, 4))
                .as("not one of the four")
                .isFalse();
        assertThat(isOfOneThread(LanePolicy.RR, 4, 3)).isFalse();
        assertThat(isOfOneThread(LanePolicy.RAND, 4, 3)).isFalse();
    }

    /** For one of four threads. */
    private static boolean isOfOneThread(LanePolicy policy, int lanes, int thread) {
        return new LanePicker(policy, lanes, thread, 1).isOfOneThread(4);
    }

    @Test
    void randomUsesAllLanes() {
        assertThat(picks(LanePolicy.RAND, 4, 0, 200)).containsOnly(0, 1, 2, 3);
    }
}
