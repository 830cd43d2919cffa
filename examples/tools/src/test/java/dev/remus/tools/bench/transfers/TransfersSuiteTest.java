// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.UsageException;
import dev.remus.tools.bench.BenchCommand;
import dev.remus.tools.plot.RunTable;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@Timeout(120)
class TransfersSuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private int run(String... args) {
        return TransfersSuite.run(stream(out), stream(err), args);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private Path results() throws Exception {
        try (Stream<Path> runs = Files.list(folder)) {
            return runs.findFirst().orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "sim"})
    void eachSizeAndNumberOfOutstandingTransfersHasItsFigures(String fabric) throws Exception {
        assertThat(run(
                        "--fabric",
                        fabric,
                        "--sizes=8,4096,1048576",
                        "--outstanding=1,3",
                        "--millis=1",
                        "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("over " + fabric, "READ  ", "WRITE  ", " 1,048,576 ", "results: ");
        List<Map<String, String>> latencies =
                RunTable.read(results().resolve("latency.csv")).rows();
        assertThat(latencies).hasSize(2 * 3).allSatisfy(row -> {
            assertThat(Double.parseDouble(row.get("median us"))).isPositive();
            assertThat(Double.parseDouble(row.get("p99 us")))
                    .isGreaterThanOrEqualTo(Double.parseDouble(row.get("median us")));
        });
        assertThat(RunTable.read(results().resolve("bandwidth.csv")).rows())
                .hasSize(2 * 3 * 2)
                .allSatisfy(row ->
                        assertThat(Double.parseDouble(row.get("MB per second"))).isPositive());
        assertThat(results().resolve("latency.svg")).isNotEmptyFile();
        assertThat(results().resolve("read-bandwidth.svg")).isNotEmptyFile();
        assertThat(results().resolve("write-bandwidth.svg")).isNotEmptyFile();
    }

    @Test
    void theModelsLatencyAndBandwidthAreMeasured() throws Exception {
        assertThat(run("--fabric=sim", "--sizes=8,65536", "--outstanding=1,8", "--out=" + folder))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitStatus.OK);
        // infiniband-fdr: a READ takes 2 us, a link 6.8 GB/s; see hardware/infiniband-fdr.properties
        assertThat(latency("READ", "8")).isBetween(2.0, 2.1);
        assertThat(bandwidth("READ", "65536", "8")).isBetween(6_700.0, 6_900.0);
        assertThat(bandwidth("READ", "8", "8") / bandwidth("READ", "8", "1")).isBetween(7.5, 8.0);
    }

    private double latency(String operation, String bytes) throws Exception {
        return RunTable.read(results().resolve("latency.csv")).rows().stream()
                .filter(row -> operation.equals(row.get("operation")) && bytes.equals(row.get("bytes")))
                .mapToDouble(row -> Double.parseDouble(row.get("median us")))
                .findFirst()
                .orElseThrow();
    }

    private double bandwidth(String operation, String bytes, String outstanding) throws Exception {
        return RunTable.read(results().resolve("bandwidth.csv")).rows().stream()
                .filter(row -> operation.equals(row.get("operation"))
                        && bytes.equals(row.get("bytes"))
                        && outstanding.equals(row.get("outstanding")))
                .mapToDouble(row -> Double.parseDouble(row.get("MB per second")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theFiguresCanBePrintedAsJson() {
        String[] args = {
            "transfers", "--json", "--fabric=sim", "--sizes=8", "--outstanding=1", "--millis=1", "--out=" + folder
        };
        assertThat(BenchCommand.run(stream(out), stream(err), args)).isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"suite\"", "\"transfers\"", "\"latency\"", "\"bandwidth\"", "\"MB per second\"");
    }

    @ParameterizedTest
    @CsvSource({
        "--sizes, 12, needs multiples of 8 from 8 to 1048576",
        "--sizes, 0, needs multiples of 8 from 8 to 1048576",
        "--sizes, 2097152, needs multiples of 8 from 8 to 1048576",
        "--sizes, 1k, needs multiples of 8 from 8 to 1048576",
        "--outstanding, 0, needs numbers from 1 to 64",
        "--outstanding, 65, needs numbers from 1 to 64",
        "--millis, 0, needs"
    })
    void valuesOutOfRangeAreRejectedBeforeTheMeasurement(String option, String value, String complaint) {
        assertThat(run(option + "=" + value, "--out=" + folder)).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(option + ": got '" + value + "', " + complaint);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anUnknownFabricIsNamed() {
        assertThat(run("--fabric=none", "--millis=1", "--out=" + folder)).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--fabric: got 'none', needs one of shm, sim, verbs");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void unknownHardwareIsAUsageErrorWithTheNearestNameSuggested() {
        assertThat(run("--fabric=sim", "--hardware=SOFT-ROCE", "--out=" + folder))
                .isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--hardware: there is no hardware 'SOFT-ROCE'", "did you mean soft-roce?");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theHelpNamesAllFabricsThatTheSuiteMeasures() {
        assertThat(run("--help")).isEqualTo(ExitStatus.OK);
        assertThat(out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " "))
                .contains("shm on this machine, verbs over RDMA, sim in the simulator");
    }
}
