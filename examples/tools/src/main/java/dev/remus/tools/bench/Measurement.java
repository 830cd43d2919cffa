// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * The duration and allocation of one operation.
 *
 * @param nanos per operation: the median of all iterations of all forks, which is robust against a disturbed iteration
 * @param error half the interquartile range of the iterations, in nanoseconds
 * @param bytes allocated per operation on the Java heap, as JMH measures it
 */
record Measurement(double nanos, double error, double bytes) {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /** The size of the smallest Java object, in bytes. */
    private static final double SMALLEST_OBJECT = 8;

    /** A bound well above what JMH and the framework's background thread allocate, in bytes per second. */
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

    /** Whether the operation itself allocates nothing: the measured rate is explained by background activity. */
    boolean allocatesNothing() {
        return bytes < SMALLEST_OBJECT && bytes * 1e9 / nanos < BACKGROUND;
    }

    /** Whether the operation allocates nothing, or what the reference must allocate too, such as a decoded object. */
    boolean allocatesNoMoreThan(Measurement reference) {
        return allocatesNothing() || !reference.allocatesNothing() && bytes < reference.bytes + SMALLEST_OBJECT;
    }

    double ratioTo(Measurement reference) {
        return nanos / reference.nanos;
    }

    /** A readable form such as {@code 5.93 ±0.04}. */
    @Override
    public String toString() {
        String format = nanos < 100 ? "%.2f ±%.2f" : "%.0f ±%.0f";
        return String.format(Locale.ROOT, format, nanos, error);
    }
}
