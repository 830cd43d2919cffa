// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.tools.json.JsonOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/**
 * Writes a report into a folder: {@code primitives.txt} as printed, {@code primitives.csv} with a line for each
 * operation and JDK, {@code primitives.json} with everything, and for each JDK a file such as {@code jmh-java17.json}
 * in JMH's format.
 */
final class ReportFiles {
    private static final String CSV_HEADER = "java,operation,reference_ns,reference_error_ns,thread_ns,thread_error_ns,"
            + "thread_ratio,field_ns,field_error_ns,field_ratio,bytes_per_op,target,verdict\n";

    private final Report report;

    ReportFiles(Report report) {
        this.report = report;
    }

    void writeTo(Path folder) throws IOException {
        Files.writeString(folder.resolve("primitives.txt"), report.toText());
        Files.writeString(folder.resolve("primitives.csv"), csv());
        writeJson(folder.resolve("primitives.json"));
        for (JdkOutcome each : report.jdks()) {
            Path raw = folder.resolve("jmh-java" + each.jdk().feature() + ".json");
            ResultFormatFactory.getInstance(ResultFormatType.JSON, raw.toString())
                    .writeOut(each.raw().values());
        }
    }

    private String csv() {
        StringBuilder csv = new StringBuilder(CSV_HEADER);
        for (JdkOutcome jdk : report.jdks()) {
            for (Outcome each : jdk.outcomes()) {
                csv.append(jdk.jdk().version())
                        .append(",\"")
                        .append(each.subject().title())
                        .append("\",")
                        .append(csv(each.reference()))
                        .append(csv(each.thread()))
                        .append(csv(each.ratio(each.thread()).orElse(null)))
                        .append(csv(each.field()))
                        .append(csv(each.ratio(each.field()).orElse(null)))
                        .append(csv(each.bytes().orElse(null)))
                        .append('"')
                        .append(each.subject().targets())
                        .append("\",")
                        .append(each.verdict(report.otherLoad()))
                        .append('\n');
            }
        }
        return csv.toString();
    }

    private static String csv(Optional<Measurement> form) {
        return form.map(each -> csv(each.nanos()) + csv(each.error())).orElse(",,");
    }

    private static String csv(@Nullable Double value) {
        return (value == null ? "" : String.format(Locale.ROOT, "%.4f", value)) + ",";
    }

    private void writeJson(Path file) throws IOException {
        try (JsonGenerator json = JsonOutput.toFile(file)) {
            json.writeStartObject();
            json.writeStringField("finished", Instant.now().toString());
            for (Map.Entry<String, Integer> setting : report.settings().toMap().entrySet()) {
                json.writeNumberField(setting.getKey(), setting.getValue());
            }
            json.writeArrayFieldStart("results");
            for (JdkOutcome jdk : report.jdks()) {
                for (Outcome each : jdk.outcomes()) {
                    writeOutcome(jdk.jdk(), each, report.otherLoad(), json);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void writeOutcome(Jdk jdk, Outcome each, double otherLoad, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("java", jdk.version());
        json.writeStringField("java_home", jdk.home().toString());
        json.writeStringField("operation", each.subject().title());
        writeForm("reference", each.reference(), json);
        writeForm("thread", each.thread(), json);
        writeForm("field", each.field(), json);
        json.writeStringField("target", each.subject().targets());
        json.writeStringField("verdict", each.verdict(otherLoad));
        json.writeArrayFieldStart("misses");
        for (String miss : each.misses()) {
            json.writeString(miss);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeForm(String name, Optional<Measurement> form, JsonGenerator json) throws IOException {
        if (form.isPresent()) {
            json.writeObjectFieldStart(name);
            json.writeNumberField("ns", form.get().nanos());
            json.writeNumberField("error_ns", form.get().error());
            json.writeNumberField("bytes_per_op", form.get().bytes());
            json.writeEndObject();
        }
    }
}
