// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.verbs.RdmaMachine;
import dev.remus.launcher.Main;
import dev.remus.tools.harness.StaleSet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs over RDMA, with one Memory Node and two Compute Nodes at the RDMA port of this machine. All three are in
 * this process, because a JVM for each takes half a minute on an emulated processor. {@link VerbsNodeLossTest} and,
 * with {@code ./remus test --all}, the programs on two machines cover RDMA between processes.
 */
@Tag("verbs")
@Timeout(600)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsProgramsTest {
    private static final int NODES = 3;
    private static final int FIRST_PORT = 29_000;
    private static final long TIMEOUT_SECONDS = 120;

    private static final List<List<String>> COMMAND_LINES = List.of(
            List.of("hello"),
            List.of("shared-object"),
            List.of("intset", "--verify"),
            List.of("queue", "--queue=buffered", "--num-ops=60", "--capacity=8", "--verify"),
            List.of("queue", "--queue=nd", "--run-time=2", "--capacity=8", "--verify"),
            List.of("kv", "--records=50", "--num-ops=30", "--update=30", "--rmw=20", "--remove=20", "--verify"),
            List.of("kv", "--map=tree", "--records=50", "--num-ops=30", "--update=30", "--remove=20", "--verify"),
            List.of("kv", "--map=list", "--records=20", "--num-ops=30", "--update=30", "--remove=20", "--verify"),
            List.of("counter", "--num-ops=60", "--verify"),
            List.of(
                    "intset",
                    "--set=" + StaleSet.class.getName(),
                    "--num-ops=100",
                    "--key-ub=5",
                    "--insert=30",
                    "--remove=30",
                    "--reclaim=barrier",
                    "--reclaim-every=16",
                    "--verify"));

    /** The place of the set in the list. */
    private static final int SET = 2;

    /** The place of the set with a planted mistake in the list. */
    private static final int STALE_SET = COMMAND_LINES.size() - 1;

    /** The node that judges the operations of all; another one may have ended well by then. */
    private static final int JUDGE = 1;

    private static final List<String> LEAVE_RESULTS = List.of("intset", "kv", "queue");

    @TempDir
    private static Path folder;

    private static String out;

    /** What {@code top} printed while the first program with threads that work for some seconds ran. */
    private static String pictures;

    @BeforeAll
    static void runAll() throws Exception {
        String host = RdmaMachine.host();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        ExecutorService threads = Executors.newFixedThreadPool(NODES);
        try {
            for (int line = 0; line < COMMAND_LINES.size(); line++) {
                List<Future<Integer>> nodes = new ArrayList<>();
                for (int node = 0; node < NODES; node++) {
                    String[] words = commandLine(line, node, host);
                    nodes.add(threads.submit(() -> Main.run(words, stream, stream)));
                }
                if (line == SET) {
                    showWhileRunning(nodes, line, new PrintStream(shown, true, StandardCharsets.UTF_8));
                }
                List<Integer> statuses = new ArrayList<>();
                for (Future<Integer> node : nodes) {
                    statuses.add(node.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
                }
                assertThat(line == STALE_SET ? statuses.subList(JUDGE, JUDGE + 1) : statuses)
                        .as(() -> printed.toString(StandardCharsets.UTF_8))
                        .containsOnly(line == STALE_SET ? 1 : 0);
            }
        } finally {
            threads.shutdownNow();
        }
        out = printed.toString(StandardCharsets.UTF_8);
        pictures = shown.toString(StandardCharsets.UTF_8);
    }

    /** Has {@code top} print the cluster, again and again. */
    private static void showWhileRunning(List<Future<Integer>> nodes, int line, PrintStream to) throws Exception {
        while (!nodes.stream().allMatch(Future::isDone)) {
            Main.run(new String[] {"top", "--once", "--cluster=" + cluster(line)}, to, to);
            Thread.sleep(200);
        }
    }

    private static String cluster(int line) {
        return "programs-" + ProcessHandle.current().pid() + "-" + line;
    }

    private static String[] commandLine(int line, int node, String host) {
        List<String> words = new ArrayList<>(COMMAND_LINES.get(line));
        if (LEAVE_RESULTS.contains(words.get(0))) {
            words.add("--out=" + folder);
        }
        Stream.of(
                        "--fabric=verbs",
                        "--hosts=" + String.join(",", Collections.nCopies(NODES, host)),
                        "--node-id=" + node,
                        "--first-mn-id=0",
                        "--last-mn-id=0",
                        "--first-cn-id=1",
                        "--last-cn-id=2",
                        "--cn-threads=2",
                        "--mn-port=" + (FIRST_PORT + 10 * line),
                        "--cluster=" + cluster(line))
                .forEach(words::add);
        return words.toArray(String[]::new);
    }

    @Test
    void everyThreadPrintsHello() {
        assertThat(out.lines().filter(line -> line.contains("hello from Compute Thread")))
                .hasSize(4);
    }

    @Test
    void theWordsOfASharedObjectAreVerified() {
        assertThat(out).contains("verified 1024 words");
    }

    @Test
    void aSetWithoutOptionsHasASuitableSizeAndItsBooksBalance() {
        assertThat(out)
                .contains("4 on 2 Compute Nodes", " found: balanced")
                .containsPattern(
                        "a round trip takes [0-9.]+ µs here, so the threads use the keys 0 to [0-9]+ for 10 s");
    }

    @Test
    void topShowsTheNodesTheirThreadsTheMemoryAndTheEpoch() {
        String process = ", process " + ProcessHandle.current().pid() + " +[1-9][0-9.kM]* ";
        assertThat(pictures)
                .contains(
                        "cluster " + cluster(SET) + ": 1 Memory Node, 2 Compute Nodes\n",
                        "\n  thread 0 ",
                        "\n  thread 1 ")
                .containsPattern("(?m)^node 1" + process)
                .containsPattern("(?m)^node 2" + process)
                .containsPattern("(?m)^  node 0, segment 0 .* KiB$")
                .containsPattern("(?m)^  epoch [0-9]")
                .containsPattern("(?m)^  operations on structures: [0-9][0-9,]*/s \\(run\\)$");
    }

    @Test
    void theOperationsOfTheProgramsAreLinearizable() {
        assertThat(verdicts().filter(verdict -> verdict.startsWith("linearizable")))
                .hasSize(6);
    }

    @Test
    void theOperationsOfACounterKeepItsPromise() {
        assertThat(out).contains("counted ", " additions of 4 threads, none lost");
        assertThat(verdicts())
                .endsWith("intermediate value linearizable and monotonic")
                .hasSize(7);
    }

    @Test
    void aPlantedMistakeIsFoundAndItsHistoryIsKept() throws Exception {
        assertThat(out).contains("the set does not keep its promise: not linearizable: no order of the operations");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(file -> file.endsWith("history.txt"))).hasSize(1);
        }
    }

    /** What {@code --verify} has printed of each program that keeps its promise, in the order of the programs. */
    private static Stream<String> verdicts() {
        return out.lines()
                .filter(line -> line.matches("verified [0-9,]+ operations: .*"))
                .map(line -> line.substring(line.indexOf(": ") + 2));
    }

    @Test
    void theBooksOfABufferedQueueBalance() {
        assertThat(report("buffered")).containsPattern("operations +240\n").contains("none lost or duplicated");
    }

    @Test
    void theBooksOfALockFreeQueueBalance() {
        assertThat(report("nd")).containsPattern("operations +[1-9]").contains("none lost or duplicated");
    }

    @Test
    void theBooksOfTheMapsBalance() {
        assertThat(out.lines().filter(line -> line.contains(" their values add up: balanced")))
                .hasSize(3);
    }

    /** The output of a queue's run, up to its verdict. */
    private static String report(String queue) {
        int from = out.indexOf("queue          " + queue + ", room for 8 items");
        assertThat(from).as(out).isNotNegative();
        int to = out.indexOf(": balanced", from);
        assertThat(to).as(out).isNotNegative();
        return out.substring(from, to);
    }
}
