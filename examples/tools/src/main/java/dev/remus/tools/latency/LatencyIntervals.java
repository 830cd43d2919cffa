// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Latencies by the time at which their operations ended, in intervals of equal length. When a run lasts longer than
 * {@value #MOST} intervals, they become twice as long. So threads that began together have intervals that fit together.
 * Recording allocates 5 KB for the first latency of an interval, otherwise nothing. An object belongs to one thread.
 *
 * <p>An interval counts latencies in buckets: one for each latency below 32 ns, then 16 for each power of two. So a
 * percentile is at most 6.25 % too large.
 */
final class LatencyIntervals {
    /** The longest latency recorded; longer ones count as this. */
    static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    /** The most intervals. */
    static final int MOST = 64;

    /** The shortest intervals last {@code 2^28} ns, 0.27 s. */
    private static final int SHORTEST_LOG2 = 28;

    /** The bits of a latency that choose its bucket, without the highest that is set. */
    private static final int BITS = 4;

    private static final int BUCKETS = bucket(LONGEST) + 2; // a value that was rounded up has a bucket too
    private static final long[] EMPTY = {};

    private final long[][] intervals = new long[MOST][];
    private int log2 = SHORTEST_LOG2;

    /** No intervals. */
    LatencyIntervals() {
        Arrays.fill(intervals, EMPTY);
    }

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
        at((int) interval)[bucket(nanos)]++;
    }

    /** Adds latencies of an interval of another object. */
    void add(int interval, int log2OfOther, long nanos, long count) {
        while (log2 < log2OfOther) {
            lengthen();
        }
        at(interval >>> log2 - log2OfOther)[bucket(nanos)] += count;
    }

    /** Adds all latencies of another object. */
    void add(LatencyIntervals others) {
        others.forEach(this::add);
    }

    /** Passes all latencies to a consumer. Calling {@link #add} for each of them makes equal intervals. */
    void forEach(IntervalCount consumer) {
        for (int i = 0; i < MOST; i++) {
            long[] counts = intervals[i];
            for (int bucket = 0; bucket < counts.length; bucket++) {
                if (counts[bucket] > 0) {
                    consumer.accept(i, log2, longest(bucket), counts[bucket]);
                }
            }
        }
    }

    /** The intervals in which operations ended, in order. */
    List<Interval> list() {
        double seconds = (1L << log2) / 1e9;
        List<Interval> list = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            long[] counts = intervals[i];
            if (counts.length > 0) {
                list.add(new Interval(
                        (i + 0.5) * seconds,
                        Arrays.stream(counts).sum(),
                        percentile(counts, 0.5),
                        percentile(counts, 0.99)));
            }
        }
        return list;
    }

    private static long percentile(long[] counts, double share) {
        double rest = share * Arrays.stream(counts).sum();
        int bucket = 0;
        for (rest -= counts[0]; rest > 0; rest -= counts[bucket]) {
            bucket++;
        }
        return longest(bucket);
    }

    private static int bucket(long nanos) {
        int shift = Math.max(0, Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(nanos));
        return (shift << BITS) + (int) (nanos >>> shift);
    }

    /** The longest latency of a bucket. */
    private static long longest(int bucket) {
        int shift = Math.max(0, (bucket >>> BITS) - 1);
        return (bucket - (shift << BITS) + 1L << shift) - 1;
    }

    private long[] at(int interval) {
        if (intervals[interval].length == 0) {
            intervals[interval] = new long[BUCKETS];
        }
        return intervals[interval];
    }

    /** Makes one interval of each two. */
    private void lengthen() {
        for (int i = 0; i < MOST; i += 2) {
            long[] first = intervals[i];
            long[] second = intervals[i + 1];
            if (first.length > 0) {
                for (int bucket = 0; bucket < second.length; bucket++) {
                    first[bucket] += second[bucket];
                }
            }
            intervals[i / 2] = first.length > 0 ? first : second;
        }
        Arrays.fill(intervals, MOST / 2, MOST, EMPTY);
        log2++;
    }
}
