// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.cli.cluster.EmulatedLatency;
import dev.remus.tools.json.JsonOutput;
import dev.remus.tools.latency.LatencyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files in which an {@link IntSetExperiment} leaves its result: {@code metrics.txt} with the keys and the unit of
 * time of the C++ Remus, {@code latency.csv} with more percentiles, {@code latency-over-time.csv}, and {@code
 * metrics.json} with the figures, the options and the seed.
 */
public final class MetricsFiles {
    private final IntSetResult result;

    /** @param result the result to write */
    public MetricsFiles(IntSetResult result) {
        this.result = result;
    }

    /**
     * Writes the files.
     *
     * @param folder an existing folder
     * @param options the effective options of the program, by name
     */
    public void writeTo(Path folder, Map<String, String> options) throws IOException {
        writeText(folder.resolve("metrics.txt"));
        LatencyFiles.write(result.latencies(), folder);
        writeJson(folder.resolve("metrics.json"), options);
    }

    /**
     * The metrics by their keys, in the order of {@code metrics.txt}; durations in microseconds, latencies in
     * nanoseconds.
     */
    Map<String, Long> metrics() {
        Map<String, Long> metrics = new LinkedHashMap<>();
        metrics.put("duration", result.micros());
        for (Metric metric : Metric.of(result.cluster())) {
            metrics.put(metric.key(), result.get(metric));
        }
        metrics.put("size", result.size());
        result.losses().addTo(metrics);
        metrics.putAll(LatencyFiles.metrics("", result.latencies()));
        result.baseline().ifPresent(heap -> {
            metrics.put("heap_duration", heap.micros());
            metrics.putAll(LatencyFiles.metrics("heap_", heap.latencies()));
        });
        return metrics;
    }

    private void writeText(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        metrics()
                .forEach((key, value) ->
                        text.append(key).append(": ").append(value).append('\n'));
        Files.writeString(file, text);
    }

    private void writeJson(Path file, Map<String, String> options) throws IOException {
        try (JsonGenerator json = JsonOutput.toFile(file)) {
            json.writeStartObject();
            json.writeStringField("finished", Instant.now().toString());
            json.writeStringField("set", result.set());
            json.writeNumberField("seed", result.workload().seed());
            if (result.workload().reclaimEvery() > 0) {
                json.writeNumberField("reclaim_every", result.workload().reclaimEvery());
            }
            json.writeNumberField("compute_nodes", result.cluster().computeNodes());
            json.writeNumberField("memory_nodes", result.cluster().memoryNodes());
            json.writeNumberField("threads", result.cluster().totalThreads());
            Optional<String> latency = EmulatedLatency.of(result.cluster());
            if (latency.isPresent()) {
                json.writeStringField("emulated_latency", latency.get());
            }
            json.writeObjectFieldStart("metrics");
            for (Map.Entry<String, Long> metric : metrics().entrySet()) {
                json.writeNumberField(metric.getKey(), metric.getValue());
            }
            json.writeEndObject();
            json.writeNumberField("throughput", result.throughput());
            if (result.baseline().isPresent()) {
                json.writeNumberField("heap_throughput", result.baseline().get().throughput());
            }
            writeBooks(json);
            SegmentUses.writeTo(json, result.segments());
            json.writeObjectFieldStart("options");
            for (Map.Entry<String, String> option : options.entrySet()) {
                json.writeStringField(option.getKey(), option.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private void writeBooks(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("books");
        json.writeNumberField("prefilled", result.audited(Metric.PREFILLED));
        json.writeNumberField("inserted", result.audited(Metric.INS_T));
        json.writeNumberField("removed", result.audited(Metric.RMV_T));
        json.writeNumberField("expected", result.expectedSize());
        json.writeNumberField("found", result.size());
        json.writeBooleanField("balanced", result.isBalanced());
        json.writeEndObject();
    }
}
