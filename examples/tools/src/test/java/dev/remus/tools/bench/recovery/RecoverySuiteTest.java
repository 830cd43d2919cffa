// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that kill themselves inside a lock: the others get it, and the figures are there. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(180)
class RecoverySuiteTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return RecoverySuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Stream.concat(Stream.of("--out", folder.toString()), Stream.of(args))
                        .toArray(String[]::new));
    }

    @Test
    void afterEachDeathAllOthersHaveHadTheLockAndTheTableIsLeftInFiles() throws Exception {
        assertThat(run("--last-cn-id=4"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .containsPattern("(?m)^Compute Node 4 +3 +[0-9,]+ ms +[0-9,]+ ms$")
                .containsPattern("(?m)^Compute Node 3 +2 +[0-9,]+ ms +[0-9,]+ ms$")
                .containsPattern("(?m)^longest: [0-9,]+ ms, target <= 3,000 ms  (ok|MISS|too busy to judge)$");
        try (Stream<Path> files = Files.walk(folder)) {
            Path csv = files.filter(file -> file.endsWith("recovery.csv"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readAllLines(csv)).hasSize(1 + 2);
            assertThat(csv.resolveSibling("recovery.txt")).content(UTF_8).startsWith("Waits for a lock");
        }
    }

    @Test
    void aClusterThatCouldNotGoOnIsRejected() {
        assertThat(run("--last-cn-id=2")).isEqualTo(2);
        assertThat(run("--last-mn-id=3")).isEqualTo(2);
        assertThat(run("--on-node-loss=abort")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("3 or more", "a node that is not killed", "the first death ends the run");
    }
}
