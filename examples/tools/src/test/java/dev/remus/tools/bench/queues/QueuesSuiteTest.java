// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

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

/** The queues between two processes: all items arrive, in runs too short for meaningful figures. */
@Tag("processes")
@Timeout(120)
@Tag("any-jdk")
class QueuesSuiteTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return QueuesSuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Stream.concat(Stream.of("--out", folder.toString()), Stream.of(args))
                        .toArray(String[]::new));
    }

    @Test
    void everyQueueIsMeasuredInEveryRaceAndTheTableIsLeftInFiles() throws Exception {
        assertThat(run("--rounds=1", "--items=5000", "--capacity-log2=6"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .contains("1 rounds of 5,000 items a producer, room for 64")
                .containsPattern("(?m)^1 producer, one by one +Agrona ManyToOneRingBuffer +[0-9.]+ / ")
                .containsPattern("(?m)^ +BufferedQueue .* [0-9.]+  >= 0.9 +(ok|MISS|too busy to judge)$")
                .containsPattern("(?m)^2 producers, 16 at a time ")
                .containsPattern("(?m)^ +RelaxedBufferedQueue +[0-9.]+ / [0-9.]+ / [0-9.]+ +[0-9.]+$");
        try (Stream<Path> files = Files.walk(folder)) {
            Path csv = files.filter(file -> file.endsWith("queues.csv"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readAllLines(csv)).hasSize(1 + 4 * 4);
            assertThat(csv.resolveSibling("queues.txt")).content(UTF_8).startsWith("Java ");
        }
    }

    @Test
    void aClusterWithTooFewThreadsForTheProducersIsRejected() {
        assertThat(run("--cn-threads=1")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("two Compute Nodes with 2 threads each");
    }
}
