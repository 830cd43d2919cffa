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
 * How long operations took, by kind, in nanoseconds with three significant digits. Recording allocates nothing. Belongs to
 * one thread, and takes about 250 KB for each kind.
 *
 * @param <K> the kinds of operations
 */
public final class Latencies<K extends Enum<K>> {
    /** What takes longer counts as this long. */
    static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    private static final int DIGITS = 3;

    /** From the fastest to the slowest: 100 is the maximum. */
    private static final List<String> PERCENTILES = List.of("10", "50", "90", "99", "99.9", "99.99", "100");

    private final Map<K, Histogram> histograms;

    /**
     * Nothing recorded yet.
     *
     * @param kinds the class of the kinds
     */
    public Latencies(Class<K> kinds) {
        histograms = new EnumMap<>(kinds);
        for (K kind : kinds.getEnumConstants()) {
            histograms.put(kind, new Histogram(LONGEST, DIGITS));
        }
    }

    private Histogram histogram(K kind) {
        return Objects.requireNonNull(histograms.get(kind), "there is one for each kind");
    }

    /** The kinds, in their order. */
    Set<K> kinds() {
        return histograms.keySet();
    }

    /** What a kind is called in tables and result files, such as {@code insert}. */
    public static String title(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Records how long one operation took. */
    public void record(K kind, long nanos) {
        add(kind, nanos, 1);
    }

    /** Records the same several times. */
    void add(K kind, long nanos, long count) {
        histogram(kind).recordValueWithCount(Math.max(0, Math.min(nanos, LONGEST)), count);
    }

    /** Adds all that others have recorded. */
    public void add(Latencies<K> others) {
        histograms.forEach((kind, histogram) -> histogram.add(others.histogram(kind)));
    }

    /**
     * Passes on every latency that was recorded, as precise as it was kept, with how often that was. {@link #add} of all
     * that makes the same histogram.
     */
    void forEach(K kind, LatencyCount consumer) {
        for (HistogramIterationValue value : histogram(kind).recordedValues()) {
            consumer.accept(value.getValueIteratedTo(), value.getCountAtValueIteratedTo());
        }
    }

    /** Takes a latency in nanoseconds and how often it was recorded. */
    interface LatencyCount {
        void accept(long nanos, long count);
    }

    /** The latencies at the {@link #PERCENTILES}, in nanoseconds by the name of the percentile; empty if there are none. */
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

    /** The latencies of a kind in short; empty if there are none. */
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
