package dev.remus.tools.latency;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How long the operations of one kind took, over all threads, in nanoseconds with three significant digits.
 *
 * @param count how many there were; at least one
 * @param p50 half of them took at most this long
 * @param p99 99 percent took at most this long
 * @param p999 99.9 percent took at most this long
 * @param max none took longer
 */
public record LatencySummary(long count, long p50, long p99, long p999, long max) {
    /** By the names that result files have, in their order. */
    public Map<String, Long> toMap() {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("p50", p50);
        values.put("p99", p99);
        values.put("p99.9", p999);
        values.put("max", max);
        return values;
    }

    /** For people, such as {@code p50 4.12 µs, p99 9.07 µs, p99.9 31.2 µs, max 1.94 ms}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        toMap().forEach((name, nanos) ->
                text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(time(nanos)));
        return text.toString();
    }

    /** With three significant digits and the unit that suits. */
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
