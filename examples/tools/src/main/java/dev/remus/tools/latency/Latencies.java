package dev.remus.tools.latency;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Histograms of the latencies of operations, one per kind, in nanoseconds with three significant digits. Recording
 * allocates nothing. An object belongs to one thread and takes about 250 KB per kind.
 *
 * @param <K> the kinds of operations
 */
public final class Latencies<K extends Enum<K>> {
    /** The longest latency recorded; longer ones count as this. */
    static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    private static final int DIGITS = 3;

    /** The percentiles of a curve; 100 is the maximum. */
    private static final List<String> PERCENTILES = List.of("10", "50", "90", "99", "99.9", "99.99", "100");

    private final Map<K, Histogram> histograms;

    /**
     * Empty histograms.
     *
     * @param kinds the class of the kinds
     */
    public Latencies(Class<K> kinds) {
        histograms = new EnumMap<>(kinds);
        for (K kind : kinds.getEnumConstants()) {
            histograms.put(kind, new Histogram(LONGEST, DIGITS));
        }
    }

    private Latencies(Latencies<K> other) {
        histograms = new EnumMap<>(other.histograms);
        histograms.replaceAll((kind, histogram) -> histogram.copy());
    }

    /** A copy, which changes independently. */
    public Latencies<K> copy() {
        return new Latencies<>(this);
    }

    private Histogram histogram(K kind) {
        return Objects.requireNonNull(histograms.get(kind), "a histogram per kind");
    }

    /** The kinds, in their order. */
    Set<K> kinds() {
        return histograms.keySet();
    }

    /** The name of a kind in tables and result files, such as {@code insert}. */
    public static String title(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Records the latency of one operation. */
    public void record(K kind, long nanos) {
        add(kind, nanos, 1);
    }

    /** Records a latency several times. */
    void add(K kind, long nanos, long count) {
        histogram(kind).recordValueWithCount(Math.max(0, Math.min(nanos, LONGEST)), count);
    }

    /** Adds all latencies recorded in another object. */
    public void add(Latencies<K> others) {
        histograms.forEach((kind, histogram) -> histogram.add(others.histogram(kind)));
    }

    /**
     * Passes every recorded latency, with the precision kept, and its count to a consumer. Calling {@link #add} for
     * each of them makes an equal histogram.
     */
    void forEach(K kind, LatencyCount consumer) {
        for (HistogramIterationValue value : histogram(kind).recordedValues()) {
            consumer.accept(value.getValueIteratedTo(), value.getCountAtValueIteratedTo());
        }
    }

    /** A consumer of a latency in nanoseconds and its count. */
    interface LatencyCount {
        void accept(long nanos, long count);
    }

    /** The latencies at the {@link #PERCENTILES}, in nanoseconds by percentile; empty if none were recorded. */
    Map<String, Long> curve(K kind) {
        Histogram histogram = histogram(kind);
        Map<String, Long> curve = new LinkedHashMap<>();
        if (histogram.getTotalCount() > 0) {
            for (String percentile : PERCENTILES) {
                curve.put(percentile, histogram.getValueAtPercentile(Double.parseDouble(percentile)));
            }
        }
        return curve;
    }

    /** The summary of a kind; empty if no latencies were recorded. */
    public Optional<LatencySummary> summary(K kind) {
        Histogram histogram = histogram(kind);
        return histogram.getTotalCount() == 0
                ? Optional.empty()
                : Optional.of(new LatencySummary(
                        histogram.getTotalCount(),
                        histogram.getValueAtPercentile(50),
                        histogram.getValueAtPercentile(99),
                        histogram.getValueAtPercentile(99.9),
                        histogram.getMaxValue()));
    }
}
