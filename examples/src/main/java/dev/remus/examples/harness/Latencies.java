package dev.remus.examples.harness;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How long operations took, by kind, in nanoseconds with three significant digits. Recording allocates nothing. Belongs to
 * one thread.
 */
final class Latencies {
    /** What takes longer counts as this long. */
    static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    private static final int DIGITS = 3;

    /** From the fastest to the slowest: 100 is the maximum. */
    private static final List<String> PERCENTILES = List.of("10", "50", "90", "99", "99.9", "99.99", "100");

    private final Map<OperationKind, Histogram> histograms = new EnumMap<>(OperationKind.class);

    Latencies() {
        for (OperationKind kind : OperationKind.values()) {
            histograms.put(kind, new Histogram(LONGEST, DIGITS));
        }
    }

    void record(OperationKind kind, long nanos) {
        add(kind, nanos, 1);
    }

    /** Records the same several times. */
    void add(OperationKind kind, long nanos, long count) {
        histograms.get(kind).recordValueWithCount(Math.max(0, Math.min(nanos, LONGEST)), count);
    }

    void add(Latencies others) {
        histograms.forEach((kind, histogram) -> histogram.add(others.histograms.get(kind)));
    }

    /**
     * Passes on every latency that was recorded, as precise as it was kept, with how often that was. {@link #add} of all
     * that makes the same histogram.
     */
    void forEach(OperationKind kind, LatencyCount consumer) {
        for (HistogramIterationValue value : histograms.get(kind).recordedValues()) {
            consumer.accept(value.getValueIteratedTo(), value.getCountAtValueIteratedTo());
        }
    }

    /** Takes a latency in nanoseconds and how often it was recorded. */
    interface LatencyCount {
        void accept(long nanos, long count);
    }

    /** The latencies at the {@link #PERCENTILES}, in nanoseconds by the name of the percentile; empty if there are none. */
    Map<String, Long> curve(OperationKind kind) {
        Histogram histogram = histograms.get(kind);
        Map<String, Long> curve = new LinkedHashMap<>();
        if (histogram.getTotalCount() > 0) {
            for (String percentile : PERCENTILES) {
                curve.put(percentile, histogram.getValueAtPercentile(Double.parseDouble(percentile)));
            }
        }
        return curve;
    }

    LatencySummary summary(OperationKind kind) {
        Histogram histogram = histograms.get(kind);
        return new LatencySummary(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getMaxValue());
    }
}
