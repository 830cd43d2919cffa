// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.remus.tools.latency.LatencyIntervals.Interval;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyIntervalsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Percentage ONE_DIGIT = Percentage.withPercentage(7);
    private static final double SHORTEST = (1 << 28) / 1e9;

    private enum Kind {
        GET,
        INSERT
    }

    private final LatencyIntervals intervals = new LatencyIntervals();

    @Test
    void anIntervalHasTheMedianAndTheTailOfTheOperationsThatEndedInIt() {
        for (int i = 1; i <= 100; i++) {
            intervals.record(0, 1_000L * i);
            intervals.record(SECOND, 1_000_000);
        }
        List<Interval> list = intervals.list();
        assertThat(list).extracting(Interval::operations).containsExactly(100L, 100L);
        assertThat(list).extracting(Interval::seconds).containsExactly(0.5 * SHORTEST, 3.5 * SHORTEST);
        assertThat(list.get(0).p50()).isCloseTo(50_000, ONE_DIGIT);
        assertThat(list.get(0).p99()).isCloseTo(99_000, ONE_DIGIT);
        assertThat(list.get(1).p50()).isCloseTo(1_000_000, ONE_DIGIT);
    }

    @Test
    void aLongRunHasLongerIntervalsAndLosesNoOperation() {
        for (long second = 0; second < 3_600; second++) {
            intervals.record(second * SECOND, 1_000);
            intervals.record(second * SECOND, 9_000);
        }
        List<Interval> list = intervals.list();
        assertThat(list).hasSizeBetween(LatencyIntervals.MOST / 2, LatencyIntervals.MOST);
        assertThat(list.stream().mapToLong(Interval::operations).sum()).isEqualTo(7_200);
        assertThat(list.get(list.size() - 1).seconds()).isBetween(3_500.0, 3_700.0);
    }

    @Test
    void theIntervalsOfThreadsWithRunsOfDifferentLengthsFitTogether() {
        LatencyIntervals other = new LatencyIntervals();
        intervals.record(SECOND, 1_000);
        other.record(1_000 * SECOND, 5_000);
        LatencyIntervals longFirst = new LatencyIntervals();
        longFirst.add(other);
        longFirst.add(intervals);
        intervals.add(other);
        assertThat(intervals.list()).isEqualTo(longFirst.list()).hasSize(2);
    }

    @Test
    void recordingInAnIntervalAllocatesNothingButItsHistogram() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = 0;
        for (int i = 0; i < 200_000; i++) {
            if (i == 100_000) {
                before = threads.getThreadAllocatedBytes(thread);
            }
            intervals.record(i, i);
        }
        assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(10_000);
    }

    @Test
    void allKindsHaveTheIntervalsOfTheLongest() {
        Latencies<Kind> latencies = new Latencies<>(Kind.class);
        latencies.begin(0);
        latencies.record(Kind.GET, 7, SECOND);
        latencies.record(Kind.INSERT, 8, 1_000 * SECOND);
        double first = latencies.overTime().get("all").get(0).seconds();
        assertThat(latencies.overTime().get("get").get(0).seconds()).isEqualTo(first);
        assertThat(latencies.overTime().get("insert").get(0).seconds())
                .isEqualTo(latencies.overTime().get("all").get(1).seconds());
        assertThat(latencies.overTime()).containsOnlyKeys("all", "get", "insert");
    }

    @Test
    void latenciesOverTimeAreKeptFromTheBeginningOnAndWritten(@TempDir Path folder) throws Exception {
        Latencies<Kind> latencies = new Latencies<>(Kind.class);
        latencies.record(Kind.GET, 7, 5 * SECOND);
        assertThat(latencies.overTime()).isEmpty();
        latencies.begin(5 * SECOND);
        latencies.record(Kind.GET, 7, 5 * SECOND + 10);
        latencies.record(Kind.INSERT, 8, 6 * SECOND);
        LatencyFiles.write(latencies.copy(), folder);
        assertThat(folder.resolve("latency-over-time.csv"))
                .hasContent("operation,seconds,operations,p50_ns,p99_ns\nall,0.134,1,7,7\nall,0.940,1,8,8\n"
                        + "get,0.134,1,7,7\ninsert,0.940,1,8,8\n");
    }
}
