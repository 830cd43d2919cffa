// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.lists;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-jdk")
@Timeout(120)
class RoundTripsSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return RoundTripsSuite.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    void allTargetsOfRoundTripsAreMet() throws Exception {
        RoundTripsTable table = RoundTripsTable.count(60);
        assertThat(table.toText()).contains("ok").doesNotContain("MISS");
        assertThat(table.misses()).isEmpty();
    }

    @Test
    void aSecondCountFindsTheSame() throws Exception {
        RoundTrips first = RoundTrips.count(ListKind.FAST, 64, 2, 50);
        assertThat(RoundTrips.count(ListKind.FAST, 64, 2, 50)).isEqualTo(first);
        assertThat(first.removeBeyondSearch())
                .as("some nodes are on the other Memory Node")
                .isEqualTo(4);
    }

    @Test
    void aRunLeavesTablesAndPictures(@TempDir Path folder) throws Exception {
        assertThat(run("--samples=5", "--rounds=1", "--millis=20", "--keys=64", "--threads=2", "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "Round trips per operation",
                        "Beyond the search",
                        "Operations per second of processor time on shm",
                        "2 segments, shuffled")
                .as("both lists with locks have a target beside the list on the heap")
                .containsPattern("(?m)^ +2  plain .* >= 0.8  ")
                .containsPattern("(?m)^ +2  fast .* >= 0.8  ");
        try (Stream<Path> runs = Files.list(folder)) {
            List<Path> run = runs.toList();
            assertThat(run).hasSize(1);
            assertThat(run.get(0).resolve("round-trips.txt")).isNotEmptyFile();
            assertThat(run.get(0).resolve("round-trips.csv"))
                    .content(UTF_8)
                    .startsWith("keys,memory nodes,list,round trips of contains")
                    .hasLineCount(1 + 3 * 2 * 4);
            assertThat(run.get(0).resolve("throughput.csv"))
                    .content(UTF_8)
                    .hasLineCount(1 + ListLayout.ALL.size() * 2 * 5);
            assertThat(run.get(0).resolve("round-trips.svg")).isNotEmptyFile();
            assertThat(run.get(0).resolve("throughput.svg")).isNotEmptyFile();
        }
    }

    @Test
    void valuesOutOfRangeAreRejected() {
        assertThat(run("--updates=101")).isNotEqualTo(ExitStatus.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--updates");
    }
}
