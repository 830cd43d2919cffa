// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Measurements too short for meaningful figures. */
@Timeout(120)
class MpiSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return new MpiSuite(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(args);
    }

    @Test
    void theRunComparesEveryOperationOrPrintsHowToInstallThePeer(@TempDir Path folder) throws IOException {
        int status = run("--rounds", "1", "--operations", "1000", "--millis", "10", "--out", folder.toString());
        assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        String text = out.toString(StandardCharsets.UTF_8);
        if (MpiProgram.isInstalled()) {
            assertThat(text).contains("GET", "PUT", "FETCH_AND_OP", "COMPARE_AND_SWAP", "times faster");
            assertThat(text).containsPattern("other processes used [0-9]+ % of the processors");
            assertThat(text).containsPattern("GET .*x  >= 4x (ok|MISS|too busy to judge)");
        } else {
            assertThat(text).contains("examples/peers/install-openmpi", "Skipped");
        }
        assertThat(text).contains("Asynchronous operations of 8 bytes", "results: ");
        Path results = Path.of(
                text.substring(text.indexOf("results: ") + "results: ".length()).strip());
        assertThat(Files.readAllLines(results.resolve("async.csv"))).hasSize(1 + 4 * (3 + 2));
        assertThat(Files.readString(results.resolve("mpi.txt"))).contains("Asynchronous operations");
    }

    @Test
    void theHelpNamesTheOptions() {
        assertThat(run("--help")).isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Usage: ./remus bench mpi", "--rounds", "--operations");
    }

    @Test
    void anUnknownOptionIsRejected() {
        assertThat(run("--round", "1")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--round");
    }
}
