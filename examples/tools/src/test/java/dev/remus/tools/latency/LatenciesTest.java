// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    private static final Percentage THREE_DIGITS = Percentage.withPercentage(0.1);

    private enum Kind {
        GET,
        INSERT,
        REMOVE
    }

    private final Latencies<Kind> latencies = new Latencies<>(Kind.class);

    @Test
    void eachKindHasItsOwnPercentilesWithThreeDigits() {
        for (int i = 1; i <= 10_000; i++) {
            latencies.record(Kind.GET, i * 100L);
        }
        latencies.record(Kind.REMOVE, 7);
        LatencySummary get = latencies.summary(Kind.GET).orElseThrow();
        assertThat(get.count()).isEqualTo(10_000);
        assertThat(get.p50()).isCloseTo(500_000, THREE_DIGITS);
        assertThat(get.p99()).isCloseTo(990_000, THREE_DIGITS);
        assertThat(get.p999()).isCloseTo(999_000, THREE_DIGITS);
        assertThat(get.max()).isCloseTo(1_000_000, THREE_DIGITS);
        assertThat(latencies.summary(Kind.REMOVE)).contains(new LatencySummary(1, 7, 7, 7, 7));
        assertThat(latencies.summary(Kind.INSERT)).isEmpty();
    }

    @Test
    void latenciesAboveTheLongestCountAsTheLongest() {
        latencies.record(Kind.GET, Long.MAX_VALUE);
        latencies.record(Kind.GET, -1);
        LatencySummary get = latencies.summary(Kind.GET).orElseThrow();
        assertThat(get.count()).isEqualTo(2);
        assertThat(get.p50()).isZero();
        assertThat(get.max()).isCloseTo(LatencyIntervals.LONGEST, THREE_DIGITS);
    }

    @Test
    void theLatenciesPassedToAConsumerMakeAnEqualHistogram() {
        for (long nanos = 1; nanos < LatencyIntervals.LONGEST; nanos = nanos * 3 / 2 + 1) {
            latencies.add(Kind.INSERT, nanos, nanos % 5 + 1);
        }
        Latencies<Kind> copy = new Latencies<>(Kind.class);
        latencies.forEach(Kind.INSERT, (nanos, count) -> copy.add(Kind.INSERT, nanos, count));
        assertThat(copy.summary(Kind.INSERT)).isEqualTo(latencies.summary(Kind.INSERT));
    }

    @Test
    void recordingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = 0;
        for (int i = 0; i < 200_000; i++) {
            if (i == 100_000) {
                before = threads.getThreadAllocatedBytes(thread);
            }
            latencies.record(Kind.GET, i);
        }
        assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(10_000);
    }

    @Test
    void timesHaveThreeDigitsAndASuitableUnit() {
        assertThat(LatencySummary.time(0)).isEqualTo("0 ns");
        assertThat(LatencySummary.time(999)).isEqualTo("999 ns");
        assertThat(LatencySummary.time(1_000)).isEqualTo("1.00 µs");
        assertThat(LatencySummary.time(12_345)).isEqualTo("12.3 µs");
        assertThat(LatencySummary.time(99_960)).isEqualTo("100 µs");
        assertThat(LatencySummary.time(999_999)).isEqualTo("1.00 ms");
        assertThat(LatencySummary.time(31_234_567_890L)).isEqualTo("31.2 s");
    }
}
