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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Measurements too short for meaningful figures. */
@Tag("any-jdk")
@Timeout(180)
class LockFreeSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String run(Path folder, String... args) {
        int status = new LockFreeSuite(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(Stream.concat(
                                Stream.of("--rounds=1", "--operations=200", "--millis=1", "--out=" + folder),
                                Stream.of(args))
                        .toArray(String[]::new));
        assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    @Tag("processes")
    void processesAreMeasuredLikeThreads(@TempDir Path folder) {
        String text = run(folder, "--processes");
        assertThat(text).contains("a process with a segment for each thread", "processes  queue ");
        for (int processes : new int[] {2, 4, 8}) {
            assertThat(text)
                    .containsPattern(processes + "  nd  .*1\\.00")
                    .containsPattern(processes + "  nd-published +[0-9.]+ +[0-9.]+ +[0-9.]+  >= 1\\.5");
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("Exception");
    }

    @Test
    void everyQueueIsMeasuredForEachNumberOfThreadsAndTheOneOverMpiWhereItIsInstalled(@TempDir Path folder)
            throws IOException {
        String text = run(folder);
        int queues = MpiProgram.isInstalled() ? 4 : 3;
        for (int threads : new int[] {2, 4, 8}) {
            assertThat(text).containsPattern(threads + "  nd  .*1\\.00").containsPattern(threads + "  nd-published ");
        }
        if (MpiProgram.isInstalled()) {
            assertThat(text).containsPattern("8  over MPI +[0-9.]+ +- +[0-9.]+  >= 1\\.5");
        } else {
            assertThat(text).contains("over MPI is skipped: examples/peers/install-openmpi");
        }
        assertThat(text).contains("nd / bd, geometric mean: ");
        Path results = Path.of(
                text.substring(text.indexOf("results: ") + "results: ".length()).strip());
        assertThat(Files.readAllLines(results.resolve("lock-free.csv"))).hasSize(1 + 3 * queues);
    }
}
