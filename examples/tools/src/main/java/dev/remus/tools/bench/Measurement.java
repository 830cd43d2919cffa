package dev.remus.tools.bench;

import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * How long one operation takes and what it allocates.
 *
 * @param nanos per operation: the median of all iterations of all forks, which one disturbed iteration does not move
 * @param error half the distance between the quartiles of the iterations, in nanoseconds
 * @param bytes allocated per operation on the Java heap, as JMH measures it
 */
record Measurement(double nanos, double error, double bytes) {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /** No Java object is smaller. */
    private static final double SMALLEST_OBJECT = 8;

    /** What JMH and the framework's own thread in the background allocate is well below, in bytes per second. */
    private static final double BACKGROUND = 4e6;

    static Measurement of(RunResult result) {
        Statistics iterations = result.getPrimaryResult().getStatistics();
        double error = (iterations.getPercentile(75) - iterations.getPercentile(25)) / 2;
        return new Measurement(iterations.getPercentile(50), error, allocated(result));
    }

    private static double allocated(RunResult result) {
        return result.getSecondaryResults().keySet().stream()
                .filter(label -> label.endsWith(ALLOCATED))
                .mapToDouble(label -> Objects.requireNonNull(
                                result.getSecondaryResults().get(label))
                        .getScore())
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Whether the operation itself allocates nothing: what is seen is no more than what goes on beside it. */
    boolean allocatesNothing() {
        return bytes < SMALLEST_OBJECT && bytes * 1e9 / nanos < BACKGROUND;
    }

    double ratioTo(Measurement reference) {
        return nanos / reference.nanos;
    }

    /** For people, such as {@code 5.93 ±0.04}. */
    @Override
    public String toString() {
        String format = nanos < 100 ? "%.2f ±%.2f" : "%.0f ±%.0f";
        return String.format(Locale.ROOT, format, nanos, error);
    }
}
