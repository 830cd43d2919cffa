// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.simulation.Finding;
import dev.remus.simulation.FindingFile;
import dev.remus.tools.json.JsonOutput;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Prints results as a JSON object with {@code scenarios} and {@code clean}. Each scenario has {@code name}, {@code
 * threads}, {@code operations}, {@code keys}, {@code options} (of the schedules), {@code first_seed}, {@code schedules}
 * (the number run), {@code complete} (whether no others can have another outcome), {@code left_out} (what an exhaustive
 * search did not try), {@code seconds}, {@code clean}, {@code finding} and {@code smaller}. The last two are null or
 * have {@code seed}, {@code text}, {@code replay}, the command that reproduces the failure, {@code file}, the path of
 * the file with all operations and steps, {@code page}, the path of the page that plays them, and {@code file_problem}.
 * If the files could not be written, {@code file} and {@code page} are null and {@code file_problem} is the reason;
 * otherwise {@code file_problem} is null.
 */
final class JsonCheckReport implements CheckReport {
    private final JsonGenerator json;
    private final FindingsFolder findings;

    JsonCheckReport(PrintStream out, FindingsFolder findings) throws IOException {
        this.findings = findings;
        json = JsonOutput.to(out);
        json.writeStartObject();
        json.writeArrayFieldStart("scenarios");
    }

    @Override
    public void print(SearchOutcome outcome) throws IOException {
        SearchPlan plan = outcome.plan();
        json.writeStartObject();
        json.writeStringField("name", plan.scenario().name());
        json.writeNumberField("threads", plan.size().threads());
        json.writeNumberField("operations", plan.size().operations());
        json.writeNumberField("keys", plan.size().keys());
        json.writeStringField("options", plan.conditions().options());
        json.writeNumberField("first_seed", plan.conditions().isExhaustive() ? 0 : outcome.first());
        json.writeNumberField("schedules", outcome.done());
        json.writeBooleanField("complete", outcome.isComplete());
        json.writeArrayFieldStart("left_out");
        for (String leftOut : outcome.leftOut()) {
            json.writeString(leftOut);
        }
        json.writeEndArray();
        json.writeNumberField("seconds", outcome.seconds());
        json.writeBooleanField("clean", outcome.isClean());
        json.writeFieldName("finding");
        if (outcome.isClean()) {
            json.writeNull();
            printSmaller(Optional.empty());
        } else {
            write(plan, outcome.finding().orElseThrow());
        }
    }

    @Override
    public void printSmaller(Optional<SmallerCase> smaller) throws IOException {
        json.writeFieldName("smaller");
        if (smaller.isPresent()) {
            write(smaller.get().plan(), smaller.get().finding());
        } else {
            json.writeNull();
        }
        json.writeEndObject();
    }

    private void write(SearchPlan plan, Finding finding) throws IOException {
        json.writeStartObject();
        json.writeNumberField("seed", finding.seed());
        json.writeStringField("text", finding.describe().stripTrailing());
        json.writeStringField("replay", plan.replayCommand(finding.seed()));
        FindingFile.Written file = findings.keep(plan, finding);
        json.writeStringField("file", file.path().map(Path::toString).orElse(null));
        json.writeStringField("page", file.page().map(Path::toString).orElse(null));
        json.writeStringField("file_problem", file.path().isPresent() ? null : file.problem());
        json.writeEndObject();
    }

    @Override
    public void conclude(boolean clean) throws IOException {
        json.writeEndArray();
        json.writeBooleanField("clean", clean);
        json.writeEndObject();
        json.writeRaw('\n');
        json.close();
    }
}
