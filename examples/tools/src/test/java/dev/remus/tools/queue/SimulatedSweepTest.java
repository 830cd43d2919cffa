// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.UsageException;
import dev.remus.tools.harness.ModelOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-jdk")
class SimulatedSweepTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private int run(String... args) {
        return new SimulatedSweep(stream(out), stream(err)).run(args);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    @Test
    void onlyTheFabricSimRequestsASimulation() {
        assertThat(ModelOptions.areRequested("--fabric", "sim", "--sweep", "2")).isTrue();
        assertThat(ModelOptions.areRequested("--fabric=sim")).isTrue();
        assertThat(ModelOptions.areRequested("--fabric", "shm", "--cluster", "sim"))
                .isFalse();
        assertThat(ModelOptions.areRequested("--sweep", "2")).isFalse();
    }

    @Test
    void everyPointIsInTheTableAndTheChartsAndIsReproducible() throws Exception {
        String[] args = {
            "--fabric", "sim", "--sweep", "2,4", "--queues", "nd,bc", "--num-ops", "20", "--out", folder.toString()
        };
        assertThat(run(args)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        List<String> first = points();
        assertThat(first).hasSize(4);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("sweep.csv", "sweep.md", "throughput.svg", "throughput.pdf", "micros_per_op.png");
        }
        try (Stream<Path> files = Files.walk(folder)) {
            Path page = files.filter(file -> file.endsWith("report.html"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(page))
                    .contains(
                            "throughput by threads",
                            "time per operation by threads",
                            ">nd, 2 threads<",
                            ">bc, 4 threads<");
        }
        out.reset();
        assertThat(run(args)).isEqualTo(ExitStatus.OK);
        assertThat(points()).isEqualTo(first);
    }

    @Test
    void aTimedRunEndsAtThatSimulatedTime() {
        String[] args = {"--fabric=sim", "--sweep=4", "--queues=nd,bc", "--run-time=0.002", "--out=" + folder};
        assertThat(run(args)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        for (String point : points()) {
            String[] cells = point.trim().split(" +");
            double seconds = Double.parseDouble(cells[2]) / Double.parseDouble(cells[3]);
            assertThat(seconds).as(point).isBetween(0.002, 0.003); // the last operations, and a barrier
        }
    }

    @Test
    void aWindowAgreesWithAWholeRunWithinAFewPercent() throws Exception {
        String[] whole = {
            "--fabric", "sim", "--sweep", "12", "--queues", "nd", "--round-trips", "200000", "--out", folder.toString()
        };
        assertThat(run(whole)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        double expected = operationsPerSecond();
        out.reset();
        String[] window = Arrays.copyOf(whole, whole.length + 1);
        window[whole.length] = "--window";
        assertThat(run(window)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        assertThat(operationsPerSecond()).isCloseTo(expected, withinPercentage(5));
    }

    @Test
    void threeHundredProducersThatRaceForOneWordTakeFewRoundTripsForAnOperation() {
        String[] args = {
            "--fabric=sim", "--sweep=300", "--queues=buffered", "--window", "--round-trips=60000", "--out=" + folder
        };
        assertThat(run(args)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        assertThat(points())
                .singleElement()
                .satisfies(point -> assertThat(Double.parseDouble(point.split(" +")[5]))
                        .as("round trips of an operation: " + point)
                        .isLessThan(4));
    }

    @Test
    void thePapersNumberOfOperationsIsWithinTheLimitOfRoundTrips() {
        String[] args = {
            "--fabric=sim", "--sweep=2", "--queues=nd", "--num-ops=50", "--round-trips=1000000000", "--out=" + folder
        };
        assertThat(run(args)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        assertThat(points()).singleElement().asString().matches("nd +2 +50 .*");
    }

    @Test
    void moreOperationsThanTheQueueCanHaveRoomForAreRefused() {
        assertThat(run("--fabric=sim", "--sweep=2", "--num-ops=5000000000", "--round-trips=10000000000000"))
                .isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--num-ops", "at most 1,000,000 operations of a thread without --run-time");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private double operationsPerSecond() {
        return Double.parseDouble(points().get(0).trim().split(" +")[3]);
    }

    private List<String> points() {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("nd") || line.startsWith("bc") || line.startsWith("buffered"))
                .toList();
    }

    @Test
    void unknownHardwareAndTooManyThreadsAreRefused() throws IOException {
        assertThat(run("--fabric", "sim", "--hardware", folder.resolve("none").toString()))
                .isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("none");
        Path malformed = Files.writeString(folder.resolve("malformed"), "latency.read = fast");
        assertThat(run("--fabric", "sim", "--hardware", malformed.toString())).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("latency.read is 'fast'");
        assertThat(run("--fabric", "sim", "--sweep", "10001")).isEqualTo(UsageException.EXIT_STATUS);
    }
}
