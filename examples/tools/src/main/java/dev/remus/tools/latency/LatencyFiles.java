package dev.remus.tools.latency;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes latencies to the files of a run. */
public final class LatencyFiles {
    private static final String CSV = "latency.csv";

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
     * Writes {@code latency.csv} with more percentiles, one per line.
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
    }
}
