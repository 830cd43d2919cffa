package dev.remus.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.verbs.VerbsFabric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs over RDMA: one Memory Node and two Compute Nodes, each a process, at the RDMA port of this machine. On an
 * emulated processor most of the time goes into starting Java VMs; so these three run all of the command lines.
 */
@Tag("verbs")
@Tag("processes")
@Timeout(600)
@EnabledIf(value = "dev.remus.examples.cluster.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsProgramsTest {
    private static final int NODES = 3;
    private static final int FIRST_PORT = 29_000;
    private static final Duration PATIENCE = Duration.ofSeconds(500);

    private static final List<List<String>> COMMAND_LINES = List.of(
            List.of("hello"),
            List.of("shared-object"),
            List.of("intset", "--num-ops=200", "--key-ub=64"),
            List.of("queue", "--queue=buffered", "--num-ops=60", "--capacity=8"),
            List.of("queue", "--queue=nd", "--num-ops=60", "--capacity=8"));

    @TempDir
    private static Path folder;

    private static String out;

    @BeforeAll
    static void runAll() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        String host = new VerbsFabric().localHost().orElseThrow();
        List<Started> nodes = new ArrayList<>();
        try {
            for (int node = 0; node < NODES; node++) {
                nodes.add(Started.of(shm, SeveralPrograms.class, commandLines(node, host))
                        .patient(PATIENCE));
            }
            for (Started node : nodes) {
                assertThat(node.await()).as(nodes.toString()).isZero();
            }
            out = nodes.stream().map(Started::out).collect(Collectors.joining("\n"));
        } finally {
            nodes.forEach(Started::close);
        }
    }

    /** Each has ports and a name of its own, as another node may still be busy with the one before. */
    private static String[] commandLines(int node, String host) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < COMMAND_LINES.size(); i++) {
            if (i > 0) {
                words.add(SeveralPrograms.THEN);
            }
            words.addAll(COMMAND_LINES.get(i));
            Stream.of(
                            "--fabric=verbs",
                            "--hosts=" + String.join(",", Collections.nCopies(NODES, host)),
                            "--node-id=" + node,
                            "--first-mn-id=0",
                            "--last-mn-id=0",
                            "--first-cn-id=1",
                            "--last-cn-id=2",
                            "--cn-threads=2",
                            "--mn-port=" + (FIRST_PORT + 10 * i),
                            "--cluster=programs-" + i,
                            "--connect-timeout=280")
                    .forEach(words::add);
        }
        return words.toArray(String[]::new);
    }

    @Test
    void helloIsSaidByEveryThread() {
        assertThat(out.lines().filter(line -> line.contains("hello from Compute Thread")))
                .hasSize(4);
    }

    @Test
    void theWordsOfASharedObjectAreVerified() {
        assertThat(out).contains("verified 1024 words");
    }

    @Test
    void theBooksOfASetBalance() {
        assertThat(out).contains("4 on 2 Compute Nodes", "operations     800", " found: balanced");
    }

    @Test
    void theBooksOfABufferedQueueBalance() {
        assertThat(report("buffered")).containsPattern("operations +240\n").contains("none lost or duplicated");
    }

    @Test
    void theBooksOfALockFreeQueueBalance() {
        assertThat(report("nd")).containsPattern("operations +240\n").contains("none lost or duplicated");
    }

    /** What was said about a run of a queue, up to its verdict. */
    private static String report(String queue) {
        int from = out.indexOf("queue          " + queue + ", room for 8 items");
        assertThat(from).as(out).isNotNegative();
        int to = out.indexOf(": balanced", from);
        assertThat(to).as(out).isNotNegative();
        return out.substring(from, to);
    }
}
