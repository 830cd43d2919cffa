// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.epochs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.fabric.CostModel;
import dev.remus.options.UsageException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@Timeout(300)
class EpochsSuiteTest {
    private static final long TEN_MILLIS = 10_000_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return EpochsSuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    void epochsTakeAtMostATwentiethOfARoundTripForAnOperation() throws Exception {
        EpochsPoint point = EpochsPoint.measure(6, TEN_MILLIS, 1, CostModel.read("infiniband-fdr"));
        assertThat(point.operations()).isPositive();
        assertThat(point.extraRoundTripsPerOperation()).isPositive().isLessThanOrEqualTo(0.05);
        assertThat(point.epochsPerSecond()).isGreaterThan(100);
        assertThat(EpochsPoint.measure(6, TEN_MILLIS, 1, CostModel.read("infiniband-fdr")))
                .as("the same seed again")
                .isEqualTo(point);
    }

    @Test
    void aRunPrintsARowForEachNumberOfThreadsAndLeavesItsFiles(@TempDir Path folder) throws Exception {
        assertThat(run("--threads=2,4", "--millis=1", "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("| 2 | 2 |", "| 4 | 4 |", "results: " + folder);
        try (Stream<Path> runs = Files.list(folder)) {
            List<Path> run = runs.toList();
            assertThat(run).hasSize(1);
            assertThat(run.get(0).resolve("epochs.csv"))
                    .content(UTF_8)
                    .startsWith("threads,nodes,operations_per_second,epochs_per_second,")
                    .hasLineCount(3);
            assertThat(run.get(0).resolve("epochs.txt")).isNotEmptyFile();
            assertThat(run.get(0).resolve("provenance.json")).content(UTF_8).contains("epochs", "--threads=2,4");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--threads=0", "--threads=10001", "--threads=x", "--millis=0", "--hardware=none"})
    void valuesOutOfRangeAreRejected(String option) {
        assertThat(run(option)).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(option.substring(0, option.indexOf('=')));
    }
}
