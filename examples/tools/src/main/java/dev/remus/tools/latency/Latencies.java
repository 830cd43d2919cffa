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
 * also keeps the latencies of all kinds over time. An object belongs to one thread.
 *
 * @param <K> the kinds of operations
 */
public final class Latencies<K extends Enum<K>> {
    private static final int DIGITS = 3;

    /** The percentiles of a curve; 100 is the maximum. */
    private static final List<String> PERCENTILES = List.of("10", "50", "90", "99", "99.9", "99.99", "100");

    private final Set<K> kinds;

    /** Those of the kinds that were recorded. */
    private final Map<K, Histogram> histograms;

    /** The latencies over time, if they are kept. */
    private Optional<LatencyIntervals> intervals = Optional.empty();

    private long begun;

    /**
     * Empty histograms.
     *
     * @param kinds the class of the kinds
     */
    public Latencies(Class<K> kinds) {
        this.kinds = EnumSet.allOf(kinds);
        histograms = new EnumMap<>(kinds);
    }

    private Latencies(Latencies<K> other) {
        kinds = other.kinds;
        histograms = new EnumMap<>(other.histograms);
        histograms.replaceAll((kind, histogram) -> histogram.copy());
        begun = other.begun;
        other.intervals.ifPresent(ofOther -> kept().add(ofOther));
    }

    /** A copy, which changes independently. */
    public Latencies<K> copy() {
        return new Latencies<>(this);
    }

    /** The latencies over time, which are kept from now on. */
    private LatencyIntervals kept() {
        if (intervals.isEmpty()) {
            intervals = Optional.of(new LatencyIntervals());
        }
        return intervals.get();
    }

    /**
     * Keeps latencies over time too, see {@link #record(Enum, long, long)}. All threads of a run call this at the same
     * moment. A thread that comes back later does not call it, since its clock may differ.
     *
     * @param nanos the moment from which the time counts, on the clock of this thread
     */
    public void begin(long nanos) {
        begun = nanos;
        kept();
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
        if (intervals.isPresent()) {
            intervals.get().record(end - begun, limited(nanos));
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
    void addInterval(int interval, int log2, long nanos, long count) {
        kept().add(interval, log2, nanos, count);
    }

    /** Adds all latencies recorded in another object. */
    public void add(Latencies<K> others) {
        others.histograms.forEach((kind, histogram) -> recorded(kind).add(histogram));
        others.intervals.ifPresent(ofOther -> kept().add(ofOther));
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

    /** Passes every latency that was recorded over time to a consumer. */
    void forEachInterval(LatencyIntervals.IntervalCount consumer) {
        intervals.ifPresent(kept -> kept.forEach(consumer));
    }

    /** The latencies over time; empty if they were not kept. */
    List<LatencyIntervals.Interval> overTime() {
        return intervals.map(LatencyIntervals::list).orElse(List.of());
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
