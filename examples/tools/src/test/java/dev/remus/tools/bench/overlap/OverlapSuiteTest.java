// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.overlap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class OverlapSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return OverlapSuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
    void aRunLeavesATextATableAndAPictureForEachLatency(@TempDir Path folder) throws Exception {
        assertThat(run("--quick", "--millis=10", "--latencies=1,3", "--threads=1,4", "--keys=16", "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("The latency is emulated", "cached", "queue", "scalable", "buffered", "results: " + folder);
        try (Stream<Path> runs = Files.list(folder)) {
            List<Path> run = runs.toList();
            assertThat(run).hasSize(1);
            assertThat(run.get(0).resolve("overlap.txt")).isNotEmptyFile();
            assertThat(run.get(0).resolve("overlap.csv"))
                    .content(UTF_8)
                    .startsWith(
                            "work,emulated latency in microseconds,kind of threads,threads,round,operations per second,")
                    .hasLineCount(1 + Work.selectable().size() * 2 * 3);
            assertThat(run.get(0).resolve("overlap-1-microseconds.svg"))
                    .content(UTF_8)
                    .contains("<svg");
            assertThat(run.get(0).resolve("overlap-3-microseconds.svg")).isNotEmptyFile();
            assertThat(run.get(0).resolve("provenance.json")).content(UTF_8).contains("overlap", "--latencies=1,3");
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads exist from Java 21 on")
    void manyReadsAreMeasuredBesideSwitches(@TempDir Path folder) {
        assertThat(run("--quick", "--millis=10", "--works=read", "--threads=32", "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("yield +2 µs virtual +32")
                .contains("bytes of a READ of 32 threads, but for those of a switch: ");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void beforeJava21ItIsAUsageError() {
        assertThat(run()).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("exist from Java 21 on");
    }

    @Test
    void overRdmaNoLatencyIsEmulated() {
        assertThat(run("--fabric=verbs", "--latencies=2")).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--latencies is emulated on --fabric shm only");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--latencies=0",
                "--latencies=1,x",
                "--threads=4097",
                "--works=raed",
                "--works=yield",
                "--rounds=0",
                "--fabric=shmm"
            })
    void valuesOutOfRangeAreRejected(String option) {
        assertThat(run(option)).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(option.substring(0, option.indexOf('=')) + ": got");
    }
}
