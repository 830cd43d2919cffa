// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.growth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.UsageException;
import dev.remus.tools.latency.LatencySummary;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
@Tag("any-jdk")
class GrowthSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return GrowthSuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    void theMapGrowsAsFarAsRequestedAndEachOperationIsTimedByBothClocks() throws Exception {
        Growth growth = new Growth("shm", 3, 1 << 10, 1 << 16);
        growth.run();
        assertThat(growth.slotsAtFirst()).isBetween(800L, 1_300L);
        assertThat(growth.slots()).isBetween(50_000L, 85_000L);
        long inserts = (long) (0.74 * (1 << 16)) - (long) (0.74 * (1 << 10));
        for (GrowthOperation operation : GrowthOperation.values()) {
            LatencySummary byClock = growth.byClock().summary(operation).orElseThrow();
            LatencySummary byProcessor = growth.byProcessor().summary(operation).orElseThrow();
            assertThat(byClock.count()).isEqualTo(inserts);
            assertThat(byProcessor.count()).isEqualTo(inserts);
            assertThat(byProcessor.max()).isPositive();
        }
        assertThat(Growth.longest(growth.byClock())).isPositive().isLessThan(growth.nanos());
    }

    @Test
    void pausesForGarbageCollectionAreCounted() throws Exception {
        try (CollectorPauses pauses = new CollectorPauses()) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (pauses.describe().contains(": 0,") && System.nanoTime() < deadline) {
                System.gc();
                Thread.sleep(10);
            }
            assertThat(pauses.describe())
                    .matches("pauses for garbage collection: [1-9][0-9,]*, the longest [0-9,]+ ms");
        }
    }

    @Test
    void aRunPrintsAReportAndLeavesItsFiles(@TempDir Path folder) throws Exception {
        assertThat(run("--slots=20000", "--threads=1", "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("LongLongMap from ", "insert by the clock", "update by processor time", "Target: ")
                .contains("results: " + folder);
        try (Stream<Path> runs = Files.list(folder)) {
            List<Path> run = runs.toList();
            assertThat(run).hasSize(1);
            assertThat(run.get(0).resolve("growth.csv"))
                    .content(UTF_8)
                    .startsWith("operation,slots,clock_p99_ns,clock_max_ns,processor_p99_ns,processor_max_ns,")
                    .hasLineCount(4);
            assertThat(run.get(0).resolve("growth.txt")).content(UTF_8).contains("pauses for garbage collection");
            assertThat(run.get(0).resolve("provenance.json")).content(UTF_8).contains("growth", "--slots=20000");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--slots=2047", "--slots=100000000", "--threads=0", "--threads=65", "--threads=x"})
    void valuesOutOfRangeAreRejected(String option) {
        assertThat(run(option)).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(option.substring(0, option.indexOf('=')));
    }
}
