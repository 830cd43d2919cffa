// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.detection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import java.util.List;
import org.junit.jupiter.api.Test;

class DetectionRateTest {
    /** Seeds that end with 57 show the mistake; those that end with 30 show another one. */
    private static final KnownMistake RARE = new KnownMistake(
            "rare",
            schedule -> {
                if (schedule.seed() % 100 == 30) {
                    throw new IllegalArgumentException("another mistake");
                }
                if (schedule.seed() % 100 == 57) {
                    throw new IllegalStateException("the mistake");
                }
            },
            IllegalStateException.class::isInstance);

    @Test
    void aStartCountsItsSchedulesUntilTheMistakeShows() throws Exception {
        for (int jobs : List.of(1, 3)) {
            DetectionRate rate = DetectionRate.measure(RARE, Schedule::random, 1, 5, 100, jobs);
            assertThat(rate).hasToString("5 of 5, 57, 57");
            assertThat(rate.isComplete()).isTrue();
        }
    }

    @Test
    void aStartThatDoesNotFindTheMistakeCountsAsMore() throws Exception {
        assertThat(DetectionRate.measure(RARE, Schedule::random, 1, 5, 56, 2)).hasToString("0 of 5");
        DetectionRate half =
                DetectionRate.measure(RARE, seed -> Schedule.random(seed > 2_000_000_000 ? 0 : seed), 1, 4, 1_000, 1);
        assertThat(half).hasToString("2 of 4, 57, -");
        assertThat(half.isComplete()).isFalse();
    }

    @Test
    void theDefaultFindsAMistakeOfThePublishedQueue() {
        KnownMistake clocks = KnownMistake.ALL.get(1);
        long seed = 1;
        while (!clocks.showsIn(ScheduleMix.DELAYS.schedule(seed))) {
            assertThat(++seed).isLessThan(300);
        }
    }
}
