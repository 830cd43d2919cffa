// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OtherLoadTest {
    /** User 100, nice 10, system 20, idle 800, waiting 30, interrupts 5 and 5, stolen 30, guests. */
    private static final String LINE = "cpu  100 10 20 800 30 5 5 30 7 7";

    @Test
    void stolenTimeIsUsedAndWaitingForADiskIsNot() {
        assertThat(OtherLoad.ticks(LINE, 60, false)).containsExactly(1000, 170, 60);
    }

    @Test
    void overRdmaTheInterruptsAreThoseOfTheMeasurement() {
        assertThat(OtherLoad.ticks(LINE, 60, true)).containsExactly(1000, 170, 70);
    }

    @Test
    void theTimeOfChildrenThatHaveEndedIsThatOfTheMeasurement() {
        String line = "7 (a (b) c) S 1 7 7 0 -1 4194304 100 200 0 0 11 12 30 4 20 0 1 0 500 1000 10";
        assertThat(OtherLoad.ofEndedChildren(line)).isEqualTo(34);
    }

    @Test
    void theShareOfOthersIsWhatThisProcessHasNotUsed() {
        double[] begin = {1000, 170, 60};
        assertThat(OtherLoad.share(begin, new double[] {1200, 270, 140})).isEqualTo(0.1);
        assertThat(OtherLoad.share(begin, new double[] {1200, 270, 170}))
                .as("clocks of different steps")
                .isZero();
        assertThat(OtherLoad.share(new double[3], new double[3])).as("unknown").isZero();
    }

    @Test
    void aVerdictIsGivenOnlyIfOthersUsedLittle() {
        assertThat(OtherLoad.verdict(true, 0.05)).isEqualTo("ok");
        assertThat(OtherLoad.verdict(false, 0.05)).isEqualTo("MISS");
        assertThat(OtherLoad.verdict(true, 0.3)).isEqualTo("too busy to judge");
        assertThat(OtherLoad.verdict(false, 0.3)).isEqualTo("too busy to judge");
    }

    @Test
    void aShareIsBetweenNoneAndAll() {
        assertThat(OtherLoad.begin().share()).isBetween(0.0, 1.0);
        assertThat(OtherLoad.beginWithKernel().share()).isBetween(0.0, 1.0);
        assertThat(OtherLoad.beginAmongSiblings("shm").share()).isBetween(0.0, 1.0);
        assertThat(OtherLoad.beginAmongSiblings("verbs").share()).isBetween(0.0, 1.0);
    }
}
