// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("any-jdk")
class FigureCommandsTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return ReproduceCommand.run(
                FigureCommandsTest.class,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private Path results() throws IOException {
        try (Stream<Path> runs = Files.list(folder)) {
            return runs.findFirst().orElseThrow();
        }
    }

    @ParameterizedTest
    @CsvSource({"buffered-queue, fairness-of-items", "lazy-list, throughput-by-policy"})
    void aRunPrintsItsVerdictsAndLeavesFiguresAndACommandThatRepeatsIt(String experiment, String figure)
            throws Exception {
        assertThat(run(experiment, "--quick", "--fabric", "sim", "--seed", "5", "--out", folder.toString()))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();

        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text).contains("modelled infiniband-fdr", "seed 5", "Claims: none is judged", "results: ");
        try (Stream<Path> files = Files.list(results())) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .contains(figure + ".svg", figure + ".pdf", figure + ".png");
        }
        assertThat(results().resolve("report.txt")).content(UTF_8).contains("Claims: ");
        assertThat(results().resolve("runs.csv")).content(UTF_8).contains("round_trips_per");
        assertThat(results().resolve("claims.json")).content(UTF_8).contains("\"seeds\" : [ 5 ]", "\"not judged\"");
        assertThat(results().resolve("claims.md"))
                .content(UTF_8)
                .contains("| claim | verdict | finding |", "| not judged |");
        assertThat(results().resolve("provenance.json")).content(UTF_8).contains(experiment, "--quick", "\"5\"");
    }

    @Test
    void theSameSeedGivesTheSameFiguresOnTheModel() throws Exception {
        List<String> first = csvOfAQuickRun("one");

        assertThat(csvOfAQuickRun("other")).isEqualTo(first);
    }

    private List<String> csvOfAQuickRun(String name) throws IOException {
        Path own = folder.resolve(name);
        assertThat(run("lazy-list", "--quick", "--out", own.toString())).isZero();
        try (Stream<Path> runs = Files.list(own)) {
            return Files.readAllLines(runs.findFirst().orElseThrow().resolve("runs.csv"));
        }
    }

    @Test
    void aFabricThatDoesNotExistIsAUsageError() {
        assertThat(run("lazy-list", "--fabric", "tcp", "--out", folder.toString()))
                .isEqualTo(2);
    }
}
