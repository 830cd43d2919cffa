// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueuePaceTest {
    private static final long TURN = 8_000;

    /** A pace that has waited for turns of {@link #TURN}, and waits for 101 more. */
    private static QueuePace beforeALongWait() {
        QueuePace pace = new QueuePace();
        pace.begin(11, 0, 0);
        pace.end(10 * TURN);
        pace.begin(202, 100, 0);
        return pace;
    }

    @Test
    void aWaiterSleepsThroughHalfOfTheTurnsBeforeItsOwn() {
        assertThat(beforeALongWait().nanosUntilWoken(0)).isEqualTo(101 * TURN / 2);
    }

    @Test
    void aShorterTurnThatTheNodeHasMeasuredCountsAtOnce() {
        QueuePace pace = beforeALongWait();
        pace.measured(TURN / 4);
        assertThat(pace.nanosUntilWoken(0)).isEqualTo(101 * TURN / 8);
    }

    @Test
    void aLongerTurnThatTheNodeHasMeasuredCountsForNothing() {
        QueuePace pace = beforeALongWait();
        pace.measured(1_000 * TURN);
        pace.measured(0);
        assertThat(pace.nanosUntilWoken(0)).isEqualTo(101 * TURN / 2);
    }
}
