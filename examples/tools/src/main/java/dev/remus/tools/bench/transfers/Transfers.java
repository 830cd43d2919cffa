// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.transfers;

import dev.remus.tools.plot.RunTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results of {@code bench transfers}, as text and as tables.
 *
 * @param sizes the sizes of the transfers, in bytes
 * @param outstanding the numbers of outstanding transfers
 * @param latencies by direction and size
 * @param bandwidths by direction, size and number of outstanding transfers
 */
record Transfers(List<Integer> sizes, List<Integer> outstanding, List<Latency> latencies, List<Bandwidth> bandwidths) {
    private static final double MEGA = 1e6;
    private static final double MICRO = 1e3;

    /** A table for each direction. */
    String toText() {
        StringBuilder text = new StringBuilder();
        for (Direction direction : Direction.values()) {
            text.append(String.format(
                    Locale.ROOT, "%-10s %-24s%s%n", direction, "latency, µs", "MB/s by number outstanding"));
            text.append(String.format(Locale.ROOT, "%10s %10s %10s   ", "bytes", "median", "p99"));
            outstanding.forEach(n -> text.append(String.format(Locale.ROOT, " %9d", n)));
            text.append(System.lineSeparator());
            for (Latency latency : latencies) {
                if (latency.direction() == direction) {
                    append(latency, text);
                }
            }
            text.append(System.lineSeparator());
        }
        return text.toString();
    }

    private void append(Latency latency, StringBuilder text) {
        text.append(String.format(
                Locale.ROOT,
                "%,10d %10s %10s   ",
                latency.bytes(),
                figure(latency.medianNanos() / MICRO),
                figure(latency.p99Nanos() / MICRO)));
        for (Bandwidth bandwidth : bandwidths) {
            if (bandwidth.direction() == latency.direction() && bandwidth.bytes() == latency.bytes()) {
                text.append(' ').append(String.format(Locale.ROOT, "%9s", figure(bandwidth.bytesPerSecond() / MEGA)));
            }
        }
        text.append(System.lineSeparator());
    }

    /** A figure with three digits, or with all digits before the point. */
    private static String figure(double value) {
        if (value >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.4f", value);
    }

    /** A row for each direction and size. */
    RunTable latencyTable() {
        List<Map<String, String>> rows = new ArrayList<>();
        for (Latency latency : latencies) {
            Map<String, String> row = new LinkedHashMap<>();
            row.put("operation", latency.direction().toString());
            row.put("bytes", Integer.toString(latency.bytes()));
            row.put("median us", decimal(latency.medianNanos() / MICRO));
            row.put("p99 us", decimal(latency.p99Nanos() / MICRO));
            row.put("samples", Integer.toString(latency.samples()));
            rows.add(row);
        }
        return new RunTable(rows);
    }

    /** A row for each direction, size and number of outstanding transfers. */
    RunTable bandwidthTable() {
        return new RunTable(bandwidths.stream().map(Transfers::row).toList());
    }

    /** The bandwidths of one direction. */
    RunTable bandwidthTable(Direction direction) {
        return new RunTable(bandwidths.stream()
                .filter(bandwidth -> bandwidth.direction() == direction)
                .map(Transfers::row)
                .toList());
    }

    private static Map<String, String> row(Bandwidth bandwidth) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("operation", bandwidth.direction().toString());
        row.put("bytes", Integer.toString(bandwidth.bytes()));
        row.put("outstanding", Integer.toString(bandwidth.outstanding()));
        row.put("MB per second", decimal(bandwidth.bytesPerSecond() / MEGA));
        row.put("transfers per second", String.format(Locale.ROOT, "%.0f", bandwidth.perSecond()));
        return row;
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
