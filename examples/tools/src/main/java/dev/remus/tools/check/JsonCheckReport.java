package dev.remus.tools.check;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.simulation.Finding;
import dev.remus.tools.json.JsonOutput;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;

/**
 * Those who read JSON: an object with {@code scenarios} and {@code clean}. Each scenario has {@code name}, {@code threads},
 * {@code operations}, {@code keys}, {@code options} (of the schedules), {@code first_seed}, {@code schedules} (that were
 * run), {@code complete} (whether these are all that there are), {@code seconds}, {@code clean}, {@code finding} and {@code
 * smaller}; these two are null or have {@code seed}, {@code text} and {@code replay}, the command that shows it again.
 */
final class JsonCheckReport implements CheckReport {
    private final JsonGenerator json;

    JsonCheckReport(PrintStream out) throws IOException {
        json = JsonOutput.to(out);
        json.writeStartObject();
        json.writeArrayFieldStart("scenarios");
    }

    @Override
    public void hear(SearchOutcome outcome) throws IOException {
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
        json.writeNumberField("seconds", outcome.seconds());
        json.writeBooleanField("clean", outcome.isClean());
        json.writeFieldName("finding");
        if (outcome.isClean()) {
            json.writeNull();
            hearSmaller(Optional.empty());
        } else {
            write(plan, outcome.finding().orElseThrow());
        }
    }

    @Override
    public void hearSmaller(Optional<SmallerCase> smaller) throws IOException {
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
