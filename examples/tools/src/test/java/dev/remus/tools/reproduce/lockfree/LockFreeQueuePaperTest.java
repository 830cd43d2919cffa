// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.UsageException;
import dev.remus.tools.plot.RunTable;
import dev.remus.tools.reproduce.ReproduceCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("any-jdk")
class LockFreeQueuePaperTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private int run(String... options) {
        out.reset();
        err.reset();
        String[] args = Stream.concat(Stream.of("lock-free-queue", "--out=" + folder), Stream.of(options))
                .toArray(String[]::new);
        return ReproduceCommand.run(
                LockFreeQueuePaperTest.class,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private Path file(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
        }
    }

    private List<String> points() {
        return out().lines().filter(line -> line.matches("(nd|bd|bc).*")).toList();
    }

    @Test
    void aRunLeavesItsPointsFiguresStatementsAndFactsAndIsReproducible() throws IOException {
        assertThat(run("--quick")).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitStatus.OK);
        List<String> first = points();
        assertThat(first).hasSize(8).allSatisfy(line -> assertThat(line).contains("no value"));
        assertThat(file("points.csv")).content(UTF_8).contains("queue,processes,run,n,throughput,enq_all_us");
        assertThat(file("claims.txt"))
                .content(UTF_8)
                .contains("paper: figure 4", "paper: figure 5", "not judged: n = 20 is too few: needs 100")
                .doesNotContain("same: ", "different: ");
        assertThat(file("paper-and-ours.md")).content(UTF_8).contains("| `nd-published` | 2 | 20 |", "**not judged**");
        assertThat(file("provenance.json"))
                .content(UTF_8)
                .contains("--quick", "\"seeds\"", "\"machine\"", "\"software\"");
        for (String figure : List.of("figure-4", "figure-5-nd", "figure-5-nd-published")) {
            assertThat(file(figure + ".svg")).isNotEmptyFile();
        }
        assertThat(out()).contains("n = 20 operations of each process; the paper has 10,000");
        assertThat(run("--quick")).isEqualTo(ExitStatus.OK);
        assertThat(points()).isEqualTo(first);
    }

    @Test
    void thePartsOfAnOperationNeverExceedTheWhole() throws IOException {
        assertThat(run("--processes=12", "--num-ops=10")).isEqualTo(ExitStatus.OK);
        for (Map<String, String> row : RunTable.read(file("points.csv")).rows()) {
            if (row.getOrDefault("enq_hop_us", "").isEmpty()) {
                continue; // bc
            }
            double enqueue = Double.parseDouble(row.get("enq_all_us"));
            double dequeue = Double.parseDouble(row.get("deq_all_us"));
            assertThat(Double.parseDouble(row.get("enq_hop_us"))).isLessThanOrEqualTo(enqueue);
            assertThat(Double.parseDouble(row.get("deq_hop_us"))).isLessThanOrEqualTo(dequeue);
            assertThat(Double.parseDouble(row.get("bcast_all_us"))).isLessThanOrEqualTo(Math.max(enqueue, dequeue));
        }
    }

    @Test
    void anAccessWithinANodeCostsLessThanOneBetweenNodes() throws IOException {
        assertThat(run("--processes=12,24", "--num-ops=4")).isEqualTo(ExitStatus.OK);
        List<String> published = points().stream()
                .filter(line -> line.startsWith("nd-published"))
                .toList();
        assertThat(enqueueMicros(published.get(1))).isGreaterThan(5 * enqueueMicros(published.get(0)));
        assertThat(run("--processes=12", "--num-ops=4", "--local-latency=2000")).isEqualTo(ExitStatus.OK);
        assertThat(enqueueMicros(points().get(0))).isGreaterThan(5 * enqueueMicros(published.get(0)));
    }

    private static double enqueueMicros(String point) {
        return Double.parseDouble(point.replace("no value", "none").trim().split(" +")[6]);
    }

    @Test
    void numbersReadOffThePapersFigureStandBesideOursWithTheError() throws IOException {
        Path paper =
                Files.writeString(folder.resolve("paper.csv"), "queue,processes,throughput\nnd,2,1000\nbc,4,500\n");
        assertThat(run("--quick", "--paper=" + paper)).isEqualTo(ExitStatus.OK);
        assertThat(points().get(0)).matches("nd-published +2 +20 +\\d+ +1000 +\\+\\d+ %.*");
        assertThat(points().get(5)).matches("bc +4 +20 +\\d+ +500 +\\+\\d+ %.*");
        Files.writeString(paper, "queue,processes,throughput\nnd,2,fast\n");
        assertThat(run("--quick", "--paper=" + paper)).isEqualTo(ExitStatus.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("throughput is 'fast'; needs a number");
    }

    @Test
    void severalRunsOfAPointHaveSeedsOfTheirOwnAndTheirMeanIsPrinted() throws IOException {
        assertThat(run("--quick", "--processes=2", "--runs=2")).isEqualTo(ExitStatus.OK);
        assertThat(points()).hasSize(4);
        List<Map<String, String>> rows = RunTable.read(file("points.csv")).rows();
        assertThat(rows).hasSize(8);
        assertThat(rows.get(0).get("throughput")).isNotEqualTo(rows.get(1).get("throughput"));
        assertThat(out()).contains("each line is a mean of 2 runs");
        assertThat(file("paper-and-ours.md")).content(UTF_8).contains("| op/s | least | most | enq_all |");
    }

    @Test
    void onlyTheSelectedQueuesAreRun() throws IOException {
        assertThat(run("--quick", "--processes=2", "--queues=nd,bc")).isEqualTo(ExitStatus.OK);
        assertThat(points()).hasSize(2);
        assertThat(points().get(0)).startsWith("bc ");
        assertThat(points().get(1)).startsWith("nd ");
        assertThat(file("figure-4.svg")).content(UTF_8).contains("bc").doesNotContain("published");
    }

    @ParameterizedTest
    @CsvSource({
        "--queues=ndd, did you mean nd?",
        "--processes=1, needs numbers from 2 to 1000",
        "--processes=13, at most 12 or multiples of 12",
        "--num-ops=0, --num-ops: got '0'",
        "--local-latency=0, --local-latency: got '0'",
        "--seed=x, --seed: got 'x'",
    })
    void valuesOutOfRangeAreRejected(String option, String message) {
        assertThat(run(option)).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(message);
    }

    @Test
    void anExperimentThatFailsInARunKeepsItsProvenance() throws IOException {
        assertThat(run("--fabric=shm", "--quick")).isEqualTo(ExitStatus.FAILED); // this class has no main method
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("remus reproduce: nd-published, 2 processes: ");
        assertThat(file("provenance.json")).content(UTF_8).contains("--fabric", "--quick");
    }

    @Test
    void aLocalLatencyIsRejectedWhereTimesAreMeasured() {
        assertThat(run("--fabric=shm", "--local-latency=20")).isEqualTo(UsageException.EXIT_STATUS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--local-latency", "--fabric sim");
    }
}
