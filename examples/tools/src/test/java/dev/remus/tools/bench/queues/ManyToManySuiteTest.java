// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Measurements too short for meaningful figures. */
@Timeout(180)
class ManyToManySuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return ManyToManySuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    void theScalableQueueIsComparedOneByOneAndInBatches(@TempDir Path folder) throws Exception {
        assertThat(run("--quick", "--items=20001", "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("one by one +Agrona ManyToManyConcurrentArrayQueue +[0-9.]+ / ")
                .containsPattern(" ScalableQueue +[0-9. /]+ >= 0\\.5")
                .containsPattern("16 at a time +Agrona ManyToManyConcurrentArrayQueue +[0-9.]+ / ")
                .containsPattern(" ScalableQueue +[0-9. /]+ >= 1\\.0")
                .contains("other processes used");
        try (Stream<Path> runs = Files.list(folder)) {
            List<Path> run = runs.toList();
            assertThat(run).hasSize(1);
            assertThat(run.get(0).resolve("many-to-many.csv")).content(UTF_8).hasLineCount(1 + 4 * 3);
            assertThat(run.get(0).resolve("provenance.json")).content(UTF_8).contains("many-to-many", "--items=20001");
        }
    }

    @Test
    void aValueOutOfRangeIsRejected() {
        assertThat(run("--rounds=0")).isNotEqualTo(ExitStatus.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--rounds");
    }
}
