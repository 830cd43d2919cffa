// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Histograms of the latencies of operations, one per kind, in nanoseconds with three significant digits. Recording
 * allocates nothing, but for the first latency of a kind: its histogram takes about 250 KB. After {@link #begin}, it
 * also keeps the latencies of each kind over time. An object belongs to one thread.
 *
 * @param <K> the kinds of operations
 */
public final class Latencies<K extends Enum<K>> {
    private static final int DIGITS = 3;

    /** The title of all kinds together. */
    static final String ALL = "all";

    /** The percentiles of a curve; 100 is the maximum. */
    private static final List<String> PERCENTILES = List.of("10", "50", "90", "99", "99.9", "99.99", "100");

    private final Set<K> kinds;

    /** Those of the kinds that were recorded. */
    private final Map<K, Histogram> histograms;

    /** Those over time. */
    private final Map<K, LatencyIntervals> intervals;

    private boolean isOverTime;
    private long begun;

    /**
     * Empty histograms.
     *
     * @param kinds the class of the kinds
     */
    public Latencies(Class<K> kinds) {
        this.kinds = EnumSet.allOf(kinds);
        histograms = new EnumMap<>(kinds);
        intervals = new EnumMap<>(kinds);
    }

    private Latencies(Latencies<K> other) {
        kinds = other.kinds;
        histograms = new EnumMap<>(other.histograms);
        histograms.replaceAll((kind, histogram) -> histogram.copy());
        intervals = new EnumMap<>(other.intervals);
        intervals.replaceAll((kind, ofOther) -> {
            LatencyIntervals copy = new LatencyIntervals();
            copy.add(ofOther);
            return copy;
        });
        isOverTime = other.isOverTime;
        begun = other.begun;
    }

    /** A copy, which changes independently. */
    public Latencies<K> copy() {
        return new Latencies<>(this);
    }

    /** Those of a kind over time, which are made for its first latency. */
    private LatencyIntervals overTime(K kind) {
        return intervals.computeIfAbsent(kind, k -> new LatencyIntervals());
    }

    /**
     * Keeps latencies over time too, see {@link #record(Enum, long, long)}. All threads of a run call this at the same
     * moment. A thread that comes back later does not call it, since its clock may differ.
     *
     * @param nanos the moment from which the time counts, on the clock of this thread
     */
    public void begin(long nanos) {
        begun = nanos;
        isOverTime = true;
    }

    /** The histogram of a kind, which is made for its first latency. */
    private Histogram recorded(K kind) {
        return histograms.computeIfAbsent(kind, k -> new Histogram(LatencyIntervals.LONGEST, DIGITS));
    }

    /** The kinds, in their order. */
    Set<K> kinds() {
        return Collections.unmodifiableSet(kinds);
    }

    /** The name of a kind in tables and result files, such as {@code insert}. */
    public static String title(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Records the latency of one operation. */
    public void record(K kind, long nanos) {
        add(kind, nanos, 1);
    }

    /**
     * Records the latency of one operation, also over time if {@link #begin} has been called.
     *
     * @param end the moment at which it ended, on the clock of this thread
     */
    public void record(K kind, long nanos, long end) {
        record(kind, nanos);
        if (isOverTime) {
            overTime(kind).record(end - begun, limited(nanos));
        }
    }

    private static long limited(long nanos) {
        return Math.max(0, Math.min(nanos, LatencyIntervals.LONGEST));
    }

    /** Records a latency several times. */
    void add(K kind, long nanos, long count) {
        recorded(kind).recordValueWithCount(limited(nanos), count);
    }

    /** Adds latencies of an interval, as {@link #forEachInterval} passes them. */
    void addInterval(K kind, int interval, int log2, long nanos, long count) {
        overTime(kind).add(interval, log2, nanos, count);
    }

    /** Adds all latencies recorded in another object. */
    public void add(Latencies<K> others) {
        others.histograms.forEach((kind, histogram) -> recorded(kind).add(histogram));
        others.intervals.forEach((kind, ofOther) -> overTime(kind).add(ofOther));
    }

    /**
     * Passes every recorded latency, with the precision kept, and its count to a consumer. Calling {@link #add} for
     * each of them makes an equal histogram.
     */
    void forEach(K kind, LatencyCount consumer) {
        Histogram histogram = histograms.get(kind);
        if (histogram != null) {
            for (HistogramIterationValue value : histogram.recordedValues()) {
                consumer.accept(value.getValueIteratedTo(), value.getCountAtValueIteratedTo());
            }
        }
    }

    /** Passes every latency of a kind that was recorded over time to a consumer. */
    void forEachInterval(K kind, LatencyIntervals.IntervalCount consumer) {
        LatencyIntervals kept = intervals.get(kind);
        if (kept != null) {
            kept.forEach(consumer);
        }
    }

    /**
     * The latencies over time by the titles of the kinds, first those of {@value #ALL} kinds; empty if none were kept.
     * All have the same intervals.
     */
    Map<String, List<LatencyIntervals.Interval>> overTime() {
        Map<String, List<LatencyIntervals.Interval>> lists = new LinkedHashMap<>();
        if (!intervals.isEmpty()) {
            LatencyIntervals all = new LatencyIntervals();
            intervals.values().forEach(all::add);
            lists.put(ALL, all.list());
            intervals.forEach((kind, kept) -> {
                kept.lengthenTo(all.log2());
                lists.put(title(kind), kept.list());
            });
        }
        return lists;
    }

    /** A consumer of a latency in nanoseconds and its count. */
    interface LatencyCount {
        void accept(long nanos, long count);
    }

    /** The latencies at the {@link #PERCENTILES}, in nanoseconds by percentile; empty if none were recorded. */
    Map<String, Long> curve(K kind) {
        Histogram histogram = histograms.get(kind);
        Map<String, Long> curve = new LinkedHashMap<>();
        if (histogram != null) {
            for (String percentile : PERCENTILES) {
                curve.put(percentile, histogram.getValueAtPercentile(Double.parseDouble(percentile)));
            }
        }
        return curve;
    }

    /** The summary of a kind; empty if no latencies were recorded. */
    public Optional<LatencySummary> summary(K kind) {
        Histogram histogram = histograms.get(kind);
        return histogram == null
                ? Optional.empty()
                : Optional.of(new LatencySummary(
                        histogram.getTotalCount(),
                        histogram.getValueAtPercentile(50),
                        histogram.getValueAtPercentile(99),
                        histogram.getValueAtPercentile(99.9),
                        histogram.getMaxValue()));
    }
}
