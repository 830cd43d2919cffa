// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.tools.JsonText;
import dev.remus.tools.bench.BenchCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of a suite with {@code --json}. */
@Tag("any-jdk")
class JsonReportTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
    private final PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyTableOfTheFolderIsThereWithFiguresAsNumbers() throws Exception {
        Files.writeString(folder.resolve("race.csv"), "queue,threads,ratio\nnd,2,1.50\n\"b, c\",4,NaN\n");
        Files.writeString(folder.resolve("empty.csv"), "a,b\n1,\n");
        int status = JsonReport.print(
                "x",
                text -> {
                    text.println("results: elsewhere\nfor \"people\"\nresults: " + folder);
                    return ExitStatus.OK;
                },
                outStream,
                errStream);
        assertThat(status).isEqualTo(ExitStatus.OK);
        JsonText json = new JsonText(printed());
        assertThat(json.at("/suite")).isEqualTo("x");
        assertThat(json.at("/complete")).isEqualTo("true");
        assertThat(json.at("/results")).isEqualTo(folder.toString());
        assertThat(json.at("/java")).isEqualTo(System.getProperty("java.version"));
        assertThat(json.at("/text")).contains("for \"people\"");
        assertThat(json.at("/tables/race/1/queue")).isEqualTo("b, c");
        assertThat(printed().replaceAll("\\s+", " "))
                .contains("\"queue\" : \"nd\", \"threads\" : 2, \"ratio\" : 1.50")
                .contains("\"ratio\" : \"NaN\"")
                .contains("\"a\" : 1, \"b\" : null");
    }

    @Test
    void aSuiteThatCannotMeasurePrintsNothingAndKeepsItsStatus() {
        int status = JsonReport.print("x", text -> ExitStatus.NOT_STARTED, outStream, errStream);
        assertThat(status).isEqualTo(ExitStatus.NOT_STARTED);
        assertThat(printed()).isEmpty();
    }

    @Test
    void aSuiteByCommandLinePrintsItsFiguresAndNothingElse() throws Exception {
        String[] args = {"lock-free", "--rounds=1", "--operations=50", "--millis=1", "--json", "--out=" + folder};
        assertThat(BenchCommand.run(outStream, errStream, args)).isEqualTo(ExitStatus.OK);
        JsonText json = new JsonText(printed());
        assertThat(json.at("/suite")).isEqualTo("lock-free");
        assertThat(json.at("/tables/lock-free/0/queue")).isEqualTo("nd");
        assertThat(Double.parseDouble(json.at("/tables/lock-free/8/operations_per_second")))
                .isPositive();
        assertThat(json.at("/text")).contains("geometric mean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"primitives", "mpi", "sim", "round-trips", "queues", "lock-free", "overlap", "verbs"})
    void theHelpOfEverySuiteNamesTheOption(String suite) {
        assertThat(BenchCommand.run(outStream, errStream, suite, "--help", "--json"))
                .isEqualTo(ExitStatus.OK);
        assertThat(printed()).contains("Usage: ", "--json", "--out");
        assertThat(List.of(err.toString(StandardCharsets.UTF_8))).containsOnly("");
    }
}
