// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong(5);
    private long readings;

    private long clock() {
        readings++;
        return now.get();
    }

    /** The number of operations of this length before the deadline. */
    private long operations(RunLength length, long nanosEach, long most) {
        Deadline deadline = length.startNow(this::clock);
        long done = 0;
        while (done < most && !deadline.isOver()) {
            now.addAndGet(nanosEach);
            done++;
        }
        assertThat(done == most || deadline.isOver()).as("it stays over").isTrue();
        return done;
    }

    @Test
    void longOperationsEndWithTheFirstThatPassesTheDeadline() {
        assertThat(operations(RunLength.ofNanos(SECOND), 300_000_000, 100)).isEqualTo(4);
        assertThat(operations(RunLength.ofNanos(SECOND), 2 * SECOND, 100)).isEqualTo(1);
    }

    @Test
    void shortOperationsOverrunByMicrosecondsAndReadTheClockRarely() {
        long done = operations(RunLength.ofNanos(1_000_000), 100, 1_000_000);
        assertThat(done).isBetween(10_000L, 10_064L);
        assertThat(readings).isLessThan(done / 50);
    }

    @Test
    void aClockThatStandsStillBetweenOperationsDoesNotDelayTheDeadline() {
        assertThat(operations(RunLength.ofNanos(1_000_000), 130_000, 1_000)).isEqualTo(8);
    }

    @Test
    void operationsThatBecomeLongAreNoticedAtTheNextReading() {
        Deadline deadline = RunLength.ofNanos(SECOND).startNow(this::clock);
        for (int i = 0; i < 1000; i++) {
            assertThat(deadline.isOver()).isFalse();
            now.addAndGet(100);
        }
        now.addAndGet(SECOND);
        int more = 0;
        while (!deadline.isOver()) {
            more++;
        }
        assertThat(more).isLessThanOrEqualTo(64);
    }

    @Test
    void aNumberOfOperationsAloneHasNoDeadline() {
        assertThat(operations(RunLength.ofOperations(10), SECOND * SECOND, 1000))
                .isEqualTo(1000);
        assertThat(readings).isOne();
    }
}
