// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.tools.plot.RunTable;
import dev.remus.tools.queue.QueueKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code queue} as a process. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class QueueProcessTest {
    @TempDir
    private Path folder;

    private Path shm() throws Exception {
        return Files.createDirectory(folder.resolve("shm"));
    }

    /** A small capacity, so that memory is reused, except for the queue with a known mistake there. */
    private static int room(QueueKind queue, int little) {
        return queue == QueueKind.ND_PUBLISHED ? 256 : little;
    }

    @ParameterizedTest
    @EnumSource
    void eachQueueBalancesItsBooksBetweenProcesses(QueueKind queue) throws Exception {
        int room = room(queue, 8);
        String[] args = {"queue", "--queue=" + queue, "--num-ops=200", "--capacity=" + room, "--report=none"};
        try (Started run = Started.of(shm(), args)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out())
                    .contains(
                            "queue          " + queue + ", room for " + room + " items",
                            "none lost or duplicated",
                            ": balanced")
                    .containsPattern("operations +800\n")
                    .containsPattern("throughput +[0-9,]+ op/s");
        }
    }

    @ParameterizedTest
    @EnumSource
    void allThatProducersEnqueueReachesTheConsumers(QueueKind queue) throws Exception {
        String[] args = {
            "queue",
            "--queue=" + queue,
            "--workload=producer-consumer",
            "--num-ops=100",
            "--capacity=" + room(queue, 4),
            "--report=none"
        };
        int items = queue.hasOneConsumer() ? 300 : 200;
        try (Started run = Started.of(shm(), args)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(latencies())
                    .anyMatch(line -> line.startsWith("enqueue,99,"))
                    .anyMatch(line -> line.startsWith("dequeue,99.9,"));
            assertThat(run.out())
                    .contains("books: " + items + " enqueued = " + items + " dequeued + 0 left", ": balanced");
        }
    }

    private List<String> latencies() throws Exception {
        try (Stream<Path> results = Files.list(folder.resolve("results"))) {
            return Files.readAllLines(results.findFirst().orElseThrow().resolve("latency.csv"));
        }
    }

    @Test
    void aSweepLeavesATableAndPictures() throws Exception {
        String[] args = {"queue", "--sweep", "1,2", "--queues=bd,bc", "--num-ops=50"};
        try (Started run = Started.of(shm(), args)) {
            assertThat(run.await()).as(run.err()).isZero();
        }
        Path sweep;
        try (Stream<Path> results = Files.list(folder.resolve("results"))) {
            sweep = results.findFirst().orElseThrow();
        }
        RunTable table = RunTable.read(sweep.resolve("sweep.csv"));
        assertThat(table.rows())
                .extracting(row -> row.get("queue") + " " + row.get("threads") + " " + row.get("balanced"))
                .containsExactly("bc 2 1", "bc 4 1", "bd 2 1", "bd 4 1");
        for (String picture : List.of("throughput", "micros_per_op")) {
            assertThat(Files.readAllBytes(sweep.resolve(picture + ".png"))).startsWith(0x89, 'P', 'N', 'G');
            assertThat(sweep.resolve(picture + ".svg")).content(UTF_8).contains("<svg");
        }
    }
}
