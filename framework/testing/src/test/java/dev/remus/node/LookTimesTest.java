// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A thread looks at the epochs' table often enough, and no oftener. */
class LookTimesTest {
    private static final long MILLI = 1_000_000;
    private static final int STATES = 64;
    private static final int THREADS = 4;
    private static final long BLOCK = 64;

    /** So that a thread wants the epoch to move on once it has retired four blocks. */
    private static final long MEMORY_BYTES = (4 * BLOCK * THREADS) << 8;

    private long now;
    private final RetiredBlocks retired = new RetiredBlocks();
    private final LookTimes looks = new LookTimes(
            new DelegateEnvironment() {
                @Override
                public long nanoTime() {
                    return now;
                }
            },
            THREADS,
            MEMORY_BYTES,
            Duration.ofSeconds(10),
            retired);

    private void look(boolean isNewEpoch) {
        looks.beginInterval();
        looks.looked(isNewEpoch, now);
    }

    /** The quiescent states until the next look, of a thread that needs so long for each, and pauses or does not. */
    private int statesUntilDue(long nanosEach, boolean pauses) {
        int states = 1;
        while (true) {
            now += nanosEach;
            if (pauses) {
                looks.paused();
            }
            if (looks.isDue()) {
                return states;
            }
            states++;
        }
    }

    @Test
    void aThreadThatWorksLooksOnceInSixtyFourQuiescentStates() {
        look(true);
        assertThat(statesUntilDue(1, false)).isEqualTo(STATES);
        look(false);
        assertThat(statesUntilDue(MILLI, false)).isEqualTo(STATES);
    }

    @Test
    void aThreadThatWaitsBetweenOperationsLooksByTheClock() {
        look(true);
        assertThat(statesUntilDue(MILLI / 100, true)).isEqualTo(1_000);
    }

    @Test
    void aThreadThatWaitsInSlowOperationsLooksNoMoreOftenThanOneThatWorks() {
        look(true);
        assertThat(statesUntilDue(MILLI, true)).isEqualTo(STATES);
    }

    @Test
    void pollsBetweenOperationsDoNotCountAsOperations() {
        look(true);
        for (int operation = 1; operation < STATES; operation++) {
            for (int poll = 0; poll < 10; poll++) {
                now += MILLI / 100;
                looks.paused();
                assertThat(looks.isDue()).isFalse();
            }
            assertThat(looks.isDue()).isFalse();
        }
        assertThat(looks.isDue()).isTrue();
    }

    @Test
    void aThreadThatWaitsForVeryLongLooksAllTheSameBeforeAnAllocationGivesUp() {
        look(true);
        assertThat(statesUntilDue(1_000 * MILLI, true)).isOne();
    }

    @Test
    void aThreadThatWaitsLooksLessOftenAsLongAsTheEpochStandsStill() {
        look(true);
        int last = statesUntilDue(MILLI / 100, true);
        for (int i = 0; i < 4; i++) {
            look(false);
            int next = statesUntilDue(MILLI / 100, true);
            assertThat(next).isEqualTo(2 * last);
            last = next;
        }
        for (int i = 0; i < 4; i++) {
            look(false);
            assertThat(statesUntilDue(MILLI / 100, true)).isLessThanOrEqualTo(10_000 * 100 / 32);
        }
        look(true);
        assertThat(statesUntilDue(MILLI / 100, true)).isEqualTo(1_000);
    }

    @Test
    void aThreadThatHasRetiredItsShareOfMemoryCountsStatesAlthoughItWaits() {
        for (int i = 0; i < 4; i++) {
            assertThat(looks.hasEnough()).isFalse();
            retired.add(BLOCK * i, BLOCK);
        }
        assertThat(looks.hasEnough()).isTrue();
        look(false);
        assertThat(statesUntilDue(1, true)).isEqualTo(STATES);
    }

    @Test
    void aThreadThatWasInNeedOfMemoryInsideAnOperationLooksInItsNextQuiescentState() {
        look(false);
        looks.hurry();
        assertThat(statesUntilDue(0, true)).isOne();
        look(false);
        looks.hurry();
        assertThat(statesUntilDue(0, false)).isOne();
    }

    @Test
    void aThreadThatWaitsOfflineLooksByTheClock() {
        look(true);
        assertThat(looks.isDueOffline()).isFalse();
        now += 10 * MILLI;
        assertThat(looks.isDueOffline()).isTrue();
        assertThat(looks.isDueOffline())
                .as("at once again, after a look that has failed")
                .isFalse();
    }
}
