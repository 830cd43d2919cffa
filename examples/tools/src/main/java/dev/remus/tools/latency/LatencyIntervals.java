// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * Latencies by the time at which their operations ended, in intervals of equal length. When a run lasts longer than
 * {@value #MOST} intervals, they become twice as long. So threads that began together have intervals that fit together.
 * Recording allocates 5 KB for the first latency of an interval, otherwise nothing. An object belongs to one thread.
 *
 * <p>An interval has a histogram with one significant digit, so a percentile is at most 6.25 % too large.
 */
final class LatencyIntervals {
    /** The longest latency recorded; longer ones count as this. */
    static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    /** The most intervals. */
    static final int MOST = 64;

    /** The shortest intervals last {@code 2^28} ns, 0.27 s. */
    private static final int SHORTEST_LOG2 = 28;

    private static final int DIGITS = 1;

    private final @Nullable Histogram[] intervals = new Histogram[MOST];
    private int log2 = SHORTEST_LOG2;

    /**
     * One interval.
     *
     * @param seconds its middle, since the beginning
     * @param operations the number of operations that ended in it
     * @param p50 their 50th percentile, in nanoseconds
     * @param p99 their 99th percentile, in nanoseconds
     */
    record Interval(double seconds, long operations, long p50, long p99) {}

    /** A consumer of an interval, that is its number and the logarithm of its length in nanoseconds, and latencies. */
    interface IntervalCount {
        void accept(int interval, int log2, long nanos, long count);
    }

    /** Records a latency, {@link #LONGEST} at most. */
    void record(long sinceBegin, long nanos) {
        long interval = Math.max(0, sinceBegin) >>> log2;
        while (interval >= MOST) {
            lengthen();
            interval >>>= 1;
        }
        at((int) interval).recordValue(nanos);
    }

    /** Adds latencies of an interval of another object. */
    void add(int interval, int log2OfOther, long nanos, long count) {
        lengthenTo(log2OfOther);
        at(interval >>> log2 - log2OfOther).recordValueWithCount(nanos, count);
    }

    /** The logarithm of the length of the intervals, in nanoseconds. */
    int log2() {
        return log2;
    }

    /** Makes the intervals at least so long. */
    void lengthenTo(int log2OfOther) {
        while (log2 < log2OfOther) {
            lengthen();
        }
    }

    /** Adds all latencies of another object. */
    void add(LatencyIntervals others) {
        others.forEach(this::add);
    }

    /** Passes all latencies to a consumer. Calling {@link #add} for each of them makes equal intervals. */
    void forEach(IntervalCount consumer) {
        for (int i = 0; i < MOST; i++) {
            Histogram found = intervals[i];
            if (found != null) {
                for (HistogramIterationValue value : found.recordedValues()) {
                    consumer.accept(i, log2, value.getValueIteratedTo(), value.getCountAddedInThisIterationStep());
                }
            }
        }
    }

    /** The intervals in which operations ended, in order. */
    List<Interval> list() {
        double seconds = (1L << log2) / 1e9;
        List<Interval> list = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            Histogram found = intervals[i];
            if (found != null) {
                list.add(new Interval(
                        (i + 0.5) * seconds,
                        found.getTotalCount(),
                        found.getValueAtPercentile(50),
                        found.getValueAtPercentile(99)));
            }
        }
        return list;
    }

    private Histogram at(int interval) {
        Histogram found = intervals[interval];
        if (found == null) {
            found = new Histogram(2 * LONGEST, DIGITS); // a value that was rounded up fits too
            intervals[interval] = found;
        }
        return found;
    }

    /** Makes intervals of twice the length: each has the latencies of two. */
    private void lengthen() {
        for (int i = 0; i < MOST; i += 2) {
            Histogram first = intervals[i];
            Histogram second = intervals[i + 1];
            if (first != null && second != null) {
                first.add(second);
            }
            intervals[i] = null;
            intervals[i + 1] = null;
            intervals[i / 2] = first != null ? first : second;
        }
        log2++;
    }
}
