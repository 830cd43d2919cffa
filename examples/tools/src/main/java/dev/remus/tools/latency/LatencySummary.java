// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A summary of the latencies of one kind of operation, in nanoseconds with three significant digits.
 *
 * @param count the number of operations, at least one
 * @param p50 the 50th percentile
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 * @param max the maximum
 */
public record LatencySummary(long count, long p50, long p99, long p999, long max) {
    /** The values by their names in result files, in the same order. */
    public Map<String, Long> toMap() {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("p50", p50);
        values.put("p99", p99);
        values.put("p99.9", p999);
        values.put("max", max);
        return values;
    }

    /** The summary as text, such as {@code p50 4.12 µs, p99 9.07 µs, p99.9 31.2 µs, max 1.94 ms}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        toMap().forEach((name, nanos) ->
                text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(time(nanos)));
        return text.toString();
    }

    /** A time with three significant digits and a suitable unit. */
    static String time(long nanos) {
        String[] units = {"ns", "µs", "ms"};
        double value = nanos;
        for (String unit : units) {
            if (value < 999.5) {
                return digits(value, unit.equals("ns")) + " " + unit;
            }
            value /= 1000;
        }
        return digits(value, false) + " s";
    }

    private static String digits(double value, boolean whole) {
        if (whole || value >= 99.95) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return String.format(Locale.ROOT, value >= 9.995 ? "%.1f" : "%.2f", value);
    }
}
