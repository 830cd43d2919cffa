// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.tools.json.JsonOutput;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/**
 * A report in JSON: an object with {@code findings}, each with {@code subject}, {@code grade} (ok, note, problem),
 * {@code text} and {@code remedy}, then {@code fabric}, {@code problems} and {@code can_run}.
 */
final class JsonDoctorReport implements DoctorReport {
    private final JsonGenerator json;

    JsonDoctorReport(PrintStream out) throws IOException {
        json = JsonOutput.to(out);
        json.writeStartObject();
        json.writeArrayFieldStart("findings");
    }

    @Override
    public void add(String subject, Diagnosis finding, boolean problem) throws IOException {
        Diagnosis.Grade grade =
                finding.grade() == Diagnosis.Grade.PROBLEM && !problem ? Diagnosis.Grade.NOTE : finding.grade();
        json.writeStartObject();
        json.writeStringField("subject", subject);
        json.writeStringField("grade", grade.name().toLowerCase(Locale.ROOT));
        json.writeStringField("text", finding.text());
        json.writeStringField("remedy", finding.remedy());
        json.writeEndObject();
    }

    @Override
    public void conclude(String fabric, int problems) throws IOException {
        json.writeEndArray();
        json.writeStringField("fabric", fabric);
        json.writeNumberField("problems", problems);
        json.writeBooleanField("can_run", problems == 0);
        json.writeEndObject();
        json.writeRaw('\n');
        json.close();
    }
}
