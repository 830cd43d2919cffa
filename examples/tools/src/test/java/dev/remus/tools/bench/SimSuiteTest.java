// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Measurements too short for meaningful figures. */
@Tag("any-jdk")
class SimSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return new SimSuite(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(args);
    }

    @Test
    @Tag("processes")
    @Timeout(120)
    void theTableIsShownAndLeftInFiles(@TempDir Path folder) throws Exception {
        String home = Jdk.running().home().toString();
        assertThat(run("--runs", "2", "--millis", "0", "--num-ops", "5000", "--jdk", home, "--out", folder.toString()))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        String shown = out.toString(StandardCharsets.UTF_8);
        assertThat(shown)
                .containsPattern("(?m)^[0-9.]+ +8 +[0-9,]+ +[0-9,]+ +[0-9,]+  (ok|MISS) ")
                .containsPattern("(?m)^[0-9.]+ +1,000 +[0-9,]+ +[0-9,]+ +[0-9,]+  (ok|MISS) ");
        try (Stream<Path> results = Files.list(folder)) {
            Path result = results.findFirst().orElseThrow();
            assertThat(shown).startsWith(Files.readString(result.resolve("sim.txt")));
            assertThat(Files.readAllLines(result.resolve("sim.csv"))).hasSize(3);
        }
    }

    @Test
    void theMedianOfTheRunsCounts() {
        SimMeasurement measured = SimMeasurement.of(
                new Jdk(Path.of("/jdk"), "17.0.1"),
                8,
                List.of("10,100,100,threads", "1000,2,1,threads", "1000,2,1,threads"));
        assertThat(measured.perSecond()).isEqualTo(500);
        assertThat(measured.perProcessorSecond()).isEqualTo(1000);
        assertThat(measured.verdict()).isEqualTo("MISS");
        assertThat(measured.target()).isEqualTo(200_000);
    }

    @Test
    void invalidResultsAreRejected() {
        Jdk jdk = new Jdk(Path.of("/jdk"), "17.0.1");
        assertThatThrownBy(() -> SimMeasurement.of(jdk, 8, List.of("out of memory")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("out of memory");
        assertThatThrownBy(() -> SimMeasurement.of(jdk, 8, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anInvalidOptionIsRejected() {
        assertThat(run("--runs", "1")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--runs");
    }
}
