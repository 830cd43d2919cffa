// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.latency;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes latencies to the files of a run. */
public final class LatencyFiles {
    private static final String CSV = "latency.csv";
    private static final String OVER_TIME = "latency-over-time.csv";

    private LatencyFiles() {}

    /**
     * The latencies for {@code metrics.txt} and {@code metrics.json}, in nanoseconds by keys such as {@code
     * insert_p50_ns}.
     *
     * @param prefix the prefix of all keys
     */
    public static <K extends Enum<K>> Map<String, Long> metrics(String prefix, Latencies<K> latencies) {
        Map<String, Long> metrics = new LinkedHashMap<>();
        for (K kind : latencies.kinds()) {
            latencies
                    .summary(kind)
                    .ifPresent(latency -> latency.toMap()
                            .forEach((name, nanos) -> metrics.put(
                                    prefix + Latencies.title(kind) + "_" + name.replace(".", "") + "_ns", nanos)));
        }
        return metrics;
    }

    /**
     * Writes {@code latency.csv} with more percentiles, one per line, and {@code latency-over-time.csv} with the number
     * of operations of all kinds and of each kind that ended in each interval, their median and their 99th percentile.
     *
     * @param folder an existing folder
     */
    public static <K extends Enum<K>> void write(Latencies<K> latencies, Path folder) throws IOException {
        StringBuilder text = new StringBuilder("operation,percentile,nanoseconds\n");
        for (K kind : latencies.kinds()) {
            latencies
                    .curve(kind)
                    .forEach((percentile, nanos) -> text.append(Latencies.title(kind))
                            .append(',')
                            .append(percentile)
                            .append(',')
                            .append(nanos)
                            .append('\n'));
        }
        Files.writeString(folder.resolve(CSV), text);
        StringBuilder overTime = new StringBuilder("operation,seconds,operations,p50_ns,p99_ns\n");
        latencies.overTime().forEach((kind, intervals) -> {
            for (LatencyIntervals.Interval interval : intervals) {
                overTime.append(String.format(
                        Locale.ROOT,
                        "%s,%.3f,%d,%d,%d\n",
                        kind,
                        interval.seconds(),
                        interval.operations(),
                        interval.p50(),
                        interval.p99()));
            }
        });
        Files.writeString(folder.resolve(OVER_TIME), overTime);
    }
}
