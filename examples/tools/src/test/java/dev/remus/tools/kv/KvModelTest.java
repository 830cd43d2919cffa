// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@Timeout(120)
class KvModelTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private int run(String... args) {
        return new KvModel(stream(out), stream(err)).run(args);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /** The cells of each line of the table: map, threads, operations, op/s, µs per op, round trips, what is busy. */
    private List<List<String>> points() {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("LongLong") || line.startsWith("RemoteHashMap"))
                .map(line -> List.of(line.split(" +")))
                .toList();
    }

    private static double throughput(List<String> cells) {
        return Double.parseDouble(cells.get(3));
    }

    @Test
    void everyPointIsInTheTableAndTheChartsAndIsReproducible() throws Exception {
        String[] args = {"--fabric=sim", "--sweep=2,4", "--records=200", "--round-trips=4000", "--out=" + folder};
        assertThat(run(args)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        List<List<String>> first = points();
        assertThat(first).hasSize(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("sweep.csv", "sweep.md", "throughput.svg", "throughput.pdf", "report.html");
        }
        out.reset();
        assertThat(run(args)).isEqualTo(ExitStatus.OK);
        assertThat(points()).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--map=hash", "--map=tree", "--value-bytes=100"})
    void readsOfEvenlyChosenKeysScaleWithTheThreads(String map) {
        String[] args = {
            map,
            "--fabric=sim",
            "--sweep=1,8",
            "--workload=c",
            "--distribution=uniform",
            "--records=200",
            "--round-trips=8000",
            "--out=" + folder
        };
        assertThat(run(args)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        assertThat(throughput(points().get(1)) / throughput(points().get(0))).isBetween(5.0, 10.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--map=hash", "--map=tree"})
    void updatesOfASingleKeyAreHardlySlowerWhenManyMoreThreadsCompete(String map) {
        String[] args = {
            map,
            "--fabric=sim",
            "--sweep=8,64",
            "--nodes=16",
            "--update=100",
            "--records=1",
            "--round-trips=40000",
            "--out=" + folder
        };
        assertThat(run(args)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        assertThat(throughput(points().get(1)) / throughput(points().get(0))).isGreaterThan(0.8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--workload=a", "--workload=d", "--workload=f", "--workload=e --map=tree", "--remove=30"})
    void theBooksOfEveryWorkloadBalanceAtTheEndOfItsSimulatedTime(String workload) {
        String[] args =
                (workload + " --fabric=sim --sweep=4 --records=200 --run-time=0.001 --out=" + folder).split(" ");
        assertThat(run(args)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        List<String> point = points().get(0);
        double seconds = Double.parseDouble(point.get(2)) / throughput(point);
        assertThat(seconds).isBetween(0.001, 0.0015); // the last operations, and a barrier
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--sweep=10001",
                "--sweep=two",
                "--nodes=1 --sweep=500",
                "--workload=e",
                "--hardware=none",
                "--run-time=0",
                "--num-ops=5",
                "--baseline=redis"
            })
    void impossibleSimulationsAreRefusedBeforeAnythingRuns(String words) {
        assertThat(run(("--fabric=sim " + words).split(" "))).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(words.split("[ =]")[0]);
        assertThat(points()).isEmpty();
    }
}
