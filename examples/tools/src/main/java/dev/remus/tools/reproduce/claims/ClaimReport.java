// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.claims;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.tools.json.JsonOutput;
import dev.remus.tools.plot.NoFontsException;
import dev.remus.tools.reproduce.experiment.ExperimentRun;
import dev.remus.tools.results.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints the tables and verdicts of a run, and writes its folder: {@code report.txt} with all that was printed, {@code
 * runs.csv} with a line for each run, {@code claims.json} and {@code claims.md} with the verdicts, and the figures.
 */
final class ClaimReport {
    /** The name of the file with a line for each run. */
    static final String RUNS = "runs.csv";

    private final ExperimentRun run;
    private final String testbed;
    private final StringBuilder text = new StringBuilder();

    /**
     * Begins the report.
     *
     * @param title of the experiment
     * @param testbed a description of the place where it ran
     */
    public ClaimReport(ExperimentRun run, String title, String testbed) {
        this.run = run;
        this.testbed = testbed;
        print(title + ", " + testbed + ", seed " + run.seed() + ", "
                + run.extent().name().toLowerCase(Locale.ROOT) + " extent");
        print(Machine.here().toString());
    }

    /** Prints a line or several. */
    public void print(String lines) {
        text.append(lines).append('\n');
        run.out().println(lines);
        run.out().flush();
    }

    /** Prints a sentence about the limits of the figures, unless it is empty. */
    public void remark(String sentence) {
        if (!sentence.isEmpty()) {
            print(sentence);
        }
    }

    /** Prints the means of runs with some conditions under a heading. */
    public void section(String heading, TrialTable table, Map<String, ?> where) {
        print("\n" + heading);
        print(table.toText(where).stripTrailing());
    }

    /** Prints the verdicts on all claims. */
    public void claims(List<Claim> claims) {
        long judged = claims.stream()
                .filter(claim -> claim.verdict() != Claim.Verdict.NOT_JUDGED)
                .count();
        print("\nClaims: "
                + (judged == 0
                        ? "none is judged"
                        : claims.stream().filter(Claim::holds).count() + " of " + judged + " hold"));
        claims.forEach(claim -> print(claim.toText().stripTrailing()));
        text.append('\n');
    }

    /** Writes the figures, or a line if this Java cannot draw text. */
    public void figures(List<ClaimFigure> figures, TrialTable table) throws IOException {
        try {
            for (ClaimFigure figure : figures) {
                figure.write(
                        table,
                        testbed.substring(0, 1).toUpperCase(Locale.ROOT) + testbed.substring(1) + ".",
                        run.folder());
            }
        } catch (NoFontsException e) {
            run.err().println("remus reproduce: there are no figures: " + e.getMessage());
        }
    }

    /** Writes the other files. */
    public void write(TrialTable table, List<Long> seeds, List<Claim> claims) throws IOException {
        Files.writeString(run.folder().resolve("report.txt"), text);
        table.runs(Map.of()).write(run.folder().resolve(RUNS));
        StringBuilder verdicts = new StringBuilder("| claim | verdict | finding |\n|---|---|---|\n");
        claims.forEach(claim -> verdicts.append(claim.toMarkdown()));
        Files.writeString(run.folder().resolve("claims.md"), verdicts);
        try (JsonGenerator json = JsonOutput.toFile(run.folder().resolve("claims.json"))) {
            json.writeStartObject();
            json.writeStringField("testbed", testbed);
            json.writeArrayFieldStart("seeds");
            for (long seed : seeds) {
                json.writeNumber(seed);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("claims");
            for (Claim claim : claims) {
                json.writeStartObject();
                json.writeStringField("source", claim.source());
                json.writeStringField("sentence", claim.sentence());
                json.writeStringField("verdict", claim.verdict().toString());
                json.writeStringField("finding", claim.finding());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }
}
