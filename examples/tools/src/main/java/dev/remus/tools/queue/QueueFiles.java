// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.cli.cluster.EmulatedLatency;
import dev.remus.tools.harness.SegmentUses;
import dev.remus.tools.json.JsonOutput;
import dev.remus.tools.latency.LatencyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the result of a {@link QueueExperiment}: {@code metrics.txt} with one figure per line, {@code metrics.json}
 * and, if latencies were recorded, {@code latency.csv} and {@code latency-over-time.csv}.
 */
final class QueueFiles {
    /** The figures that compare runs. */
    static final List<String> FIGURES = List.of("throughput", "micros_per_op");

    private QueueFiles() {}

    /** @param options the effective options of the program, by name */
    static void write(QueueRunResult result, Map<String, String> options, Path folder) throws IOException {
        StringBuilder text = new StringBuilder();
        result.metrics()
                .forEach((key, value) ->
                        text.append(key).append(": ").append(value).append('\n'));
        Files.writeString(folder.resolve("metrics.txt"), text);
        if (result.latencies().isPresent()) {
            LatencyFiles.write(result.latencies().get(), folder);
        }
        try (JsonGenerator json = JsonOutput.toFile(folder.resolve("metrics.json"))) {
            json.writeStartObject();
            json.writeStringField("finished", Instant.now().toString());
            json.writeStringField("queue", result.workload().queue().toString());
            json.writeStringField("workload", result.workload().pattern().toString());
            json.writeNumberField("seed", result.workload().seed());
            Optional<String> latency = EmulatedLatency.of(result.cluster());
            if (latency.isPresent()) {
                json.writeStringField("emulated_latency", latency.get());
            }
            json.writeObjectFieldStart("metrics");
            for (Map.Entry<String, Long> metric : result.metrics().entrySet()) {
                json.writeNumberField(metric.getKey(), metric.getValue());
            }
            json.writeNumberField("micros_per_op", result.microsPerOperation());
            json.writeEndObject();
            json.writeStringField("books", result.books());
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
}
