package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UntoldCompletionsTest {
    private final UntoldCompletions untold = new UntoldCompletions(4);

    @Test
    void whatHasEndedIsUntoldUntilTheThreadIsToldOfIt() {
        assertThat(untold.isAny()).isFalse();
        untold.ended(2);
        untold.ended(1);
        assertThat(untold.newest()).isEqualTo(2);
        untold.told(2);
        untold.told(3); // has not ended
        assertThat(untold.isAny()).isTrue();
        untold.told(1);
        untold.told(1);
        assertThat(untold.isAny()).isFalse();
    }

    @Test
    void anAnswerUpToAnIdTellsOfAllBelowAndOfNothingAbove() {
        for (long id = 1; id <= 3; id++) {
            untold.ended(id);
        }
        untold.toldUpTo(2);
        assertThat(untold.isAny()).isTrue();
        untold.toldUpTo(1);
        assertThat(untold.isAny()).isTrue();
        untold.toldUpTo(3);
        assertThat(untold.isAny()).isFalse();
        untold.ended(4);
        assertThat(untold.isAny()).isTrue();
        untold.toldOfAll();
        assertThat(untold.isAny()).isFalse();
    }

    @Test
    void anIdThatHadToMakeRoomForALaterOneStaysUntold() {
        untold.ended(1);
        untold.ended(5); // in the place of 1
        untold.told(5);
        assertThat(untold.isAny()).isTrue();
        untold.toldUpTo(0);
        assertThat(untold.isAny()).isTrue();
        untold.toldUpTo(5);
        assertThat(untold.isAny()).isFalse();
        untold.ended(6);
        untold.ended(10);
        untold.toldOfAll();
        assertThat(untold.isAny()).isFalse();
    }

    @Test
    void manyIdsLaterTheSameHolds() {
        for (long id = 1; id <= 1_000; id++) {
            untold.ended(id);
            if (id % 3 == 0) {
                untold.toldUpTo(id);
                assertThat(untold.isAny()).as("after %d", id).isFalse();
            }
        }
        assertThat(untold.isAny()).isTrue();
    }
}
