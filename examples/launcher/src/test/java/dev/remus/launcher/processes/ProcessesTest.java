// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.tools.harness.LossySet;
import dev.remus.tools.harness.SleepySet;
import dev.remus.tools.harness.StaleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs as processes that start, print, are killed and end. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class ProcessesTest {
    private static final String[] FOR_EVER = {
        "intset", "--num-ops", "1000000000", "--key-ub", "64", "--set", SleepySet.class.getName()
    };
    private static final String BEGUN = "opened SleepySet";
    private static final String BALANCED = " found: balanced";

    @TempDir
    private Path folder;

    private Path shm;
    private final List<Started> started = new ArrayList<>();

    @BeforeEach
    void makeSharedMemory() throws IOException {
        shm = Files.createDirectory(folder.resolve("shm"));
    }

    @AfterEach
    void endAll() {
        started.forEach(Started::close);
    }

    private Started start(String... args) throws IOException {
        return add(Started.of(shm, args));
    }

    private Started add(Started process) {
        started.add(process);
        return process;
    }

    private static String[] and(String[] args, String... more) {
        return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.walk(shm)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .allMatch(".lock"::equals);
        }
    }

    @Test
    void intsetRunsAClusterAndLeavesItsResults() throws Exception {
        Started intset = start("intset", "--num-ops", "500", "--key-ub", "200");
        assertThat(intset.await()).as(intset.err()).isZero();
        assertThat(intset.out())
                .contains("operations     2,000", BALANCED, "results: results/intset-", "report: results/");
        assertThat(intset.out().lines()).noneMatch(line -> line.startsWith("node ") || line.startsWith("@"));
        try (Stream<Path> files = Files.walk(folder.resolve("results"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("metrics.txt", "metrics.json", "latency.csv", "latency-over-time.csv", "throughput.csv")
                    .contains("provenance.json", "report.html", "latency.png", "latency.svg");
        }
        assertNothingIsLeft();
    }

    @Test
    void threeNodesWithMemoryAndThreadsRunWithIdsFrom5() throws Exception {
        Started intset = start(
                "intset",
                "--num-ops",
                "300",
                "--key-ub",
                "100",
                "--first-mn-id=5",
                "--last-mn-id=7",
                "--first-cn-id=5",
                "--last-cn-id=7",
                "--alloc-pol",
                "LOCAL-RR",
                "--report=none");
        assertThat(intset.await()).as(intset.err()).isZero();
        assertThat(intset.out()).contains("6 on 3 Compute Nodes", BALANCED);
        assertNothingIsLeft();
    }

    @Test
    void twoClustersRunAtOnce() throws Exception {
        Started one = start("intset", "--num-ops", "500", "--key-ub", "100", "--report=none");
        Started other = start("intset", "--num-ops", "500", "--key-ub", "100", "--report=none");
        assertThat(one.await()).as(one.err()).isZero();
        assertThat(other.await()).as(other.err()).isZero();
        assertThat(one.out()).contains(BALANCED);
        assertThat(other.out()).contains(BALANCED);
        try (Stream<Path> folders = Files.list(folder.resolve("results"))) {
            assertThat(folders).hasSize(2);
        }
        assertNothingIsLeft();
    }

    @Test
    void nodesThatAreStartedOneByOneFindEachOther() throws Exception {
        String[] all = {
            "intset",
            "--first-mn-id=0",
            "--last-mn-id=0",
            "--first-cn-id=1",
            "--last-cn-id=2",
            "--mn-port=18515",
            "--cn-threads=1",
            "--num-ops=300",
            "--key-ub=100",
            "--report=none"
        };
        Started lead = start(and(all, "--node-id=1"));
        Started memory = start(and(all, "--node-id=0"));
        Started other = start(and(all, "--node-id=2"));
        assertThat(lead.await()).as(lead.err()).isZero();
        assertThat(memory.await()).as(memory.err()).isZero();
        assertThat(other.await()).as(other.err()).isZero();
        assertThat(lead.out()).contains(BALANCED, "results: results/intset-");
        assertThat(memory.out() + other.out()).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void everyThreadPrintsHello() throws Exception {
        Started hello = start("hello", "--cn-threads", "3");
        assertThat(hello.await()).as(hello.err()).isZero();
        assertThat(hello.out().lines())
                .hasSize(6)
                .anyMatch(line ->
                        line.startsWith("node 2 | hello from Compute Thread 2 of Compute Node 2, thread 5 of 6"));
        assertNothingIsLeft();
    }

    @Test
    void theSharedObjectIsVerified() throws Exception {
        Started sharedObject = start("shared-object", "--cn-threads", "3");
        assertThat(sharedObject.await()).as(sharedObject.err()).isZero();
        assertThat(sharedObject.out()).isEqualTo("verified 1024 words");
        assertNothingIsLeft();
    }

    @Test
    void theSumsOfACounterAreJudged() throws Exception {
        Started counter = start("counter", "--num-ops", "2000", "--verify");
        assertThat(counter.await()).as(counter.err()).isZero();
        assertThat(counter.out().lines())
                .containsExactly(
                        "counted 6,000 additions of 4 threads, none lost",
                        "verified 8,000 operations: intermediate value linearizable and monotonic");
        assertNothingIsLeft();
    }

    @Test
    void aUsageErrorEndsWithStatus2AndTheUsageOnTheErrorStream() throws Exception {
        Started intset = start("intset", "--cn-threads", "0");
        assertThat(intset.await()).isEqualTo(2);
        assertThat(intset.out()).isEmpty();
        assertThat(intset.err()).contains("--cn-threads: got '0'", "Usage: ./remus intset");
    }

    @Test
    void aSetThatLosesKeysEndsTheClusterWithAllFigures() throws Exception {
        Started intset = start("intset", "--num-ops", "300", "--key-ub", "20", "--set", LossySet.class.getName());
        assertThat(intset.await()).isEqualTo(1);
        assertThat(intset.err()).contains("node 1 | remus: the books do not balance: ", "NOT BALANCED");
        assertThat(intset.err()).contains("remus: node 1 ended with status 1");
        assertThat(intset.err())
                .as("the others print the cause too")
                .contains("node 0 | remus: Compute Node 1 failed: Compute Thread 0: the books do not balance: ");
        assertNothingIsLeft();
    }

    @Test
    void aSetThatAnswersFromAStaleCopyIsFoundAndTheHistoryIsKept() throws Exception {
        Started intset = start(
                "intset",
                "--num-ops=2000",
                "--key-ub=5",
                "--insert=30",
                "--remove=30",
                "--reclaim=barrier",
                "--reclaim-every=16",
                "--verify",
                "--set=" + StaleSet.class.getName());
        assertThat(intset.await()).isEqualTo(1);
        assertThat(intset.err()).contains("the set does not keep its promise: not linearizable: ", " found: balanced");
        assertThat(intset.out()).containsPattern("history: results/intset-[0-9-]+/history.txt");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aNodeThatIsKilledEndsTheCluster(int node) throws Exception {
        Started intset = start(FOR_EVER);
        intset.awaitOut(BEGUN);
        assertThat(intset.children()).isEqualTo(3);
        intset.node(node).destroyForcibly();
        assertThat(intset.await()).isEqualTo(1);
        assertThat(intset.err()).contains("remus: node " + node + " was killed by signal 9");
        assertThat(intset.err()).doesNotContain("was stopped");
        intset.awaitNoChild();
        assertNothingIsLeft();
        assertThat(folder.resolve("results")).isEmptyDirectory();
    }

    @Test
    void ctrlCLeavesNothing() throws Exception {
        Started intset = start(FOR_EVER);
        intset.awaitOut(BEGUN);
        assertThat(intset.endsByInterrupt()).isTrue();
        intset.awaitNoChild();
        assertNothingIsLeft();
        assertThat(intset.err()).doesNotContain("remus: ");
        assertThat(folder.resolve("results")).isEmptyDirectory();
    }

    @Test
    void ctrlCThatReachesTheNodesTooLeavesNothing() throws Exception {
        Started intset = start(FOR_EVER);
        intset.awaitOut(BEGUN);
        for (int node = 0; node < 3; node++) {
            intset.node(node).destroy(); // a terminal sends the signal to all processes at about the same time
        }
        assertThat(intset.endsByInterrupt()).isTrue();
        intset.awaitNoChild();
        assertNothingIsLeft();
    }

    @Test
    void ctrlCOnATerminalWithABarLeavesNothing() throws Exception {
        assumeThat(Started.SCRIPT).isExecutable();
        Started intset = add(Started.onTerminal(shm, FOR_EVER));
        assumeThat(intset.ignoresInterrupts())
                .as("interrupts are ignored, as in background jobs of a shell without job control")
                .isFalse();
        intset.awaitOut(BEGUN);
        intset.awaitOut("run   0% [");
        intset.type("\003");
        assertThat(intset.await()).isEqualTo(130);
        assertThat(intset.hasLivingChild())
                .as("it waits for its nodes before it ends")
                .isFalse();
        assertNothingIsLeft();
        assertThat(folder.resolve("results")).isEmptyDirectory();
    }

    @Test
    void whenTheParentIsKilledItsNodesEnd() throws Exception {
        Started intset = start(FOR_EVER);
        intset.awaitOut(BEGUN);
        assertThat(intset.children()).isEqualTo(3);
        intset.signal("KILL");
        assertThat(intset.await()).isEqualTo(137);
        intset.awaitNoChild();
        assertNothingIsLeft();
    }

    @Test
    void aNodeThatWaitsForOthersLeavesNothingAfterASignal() throws Exception {
        String[] all = {
            "hello",
            "--first-mn-id=0",
            "--last-mn-id=1",
            "--first-cn-id=1",
            "--last-cn-id=1",
            "--mn-port=18515",
            "--cn-threads=1"
        };
        Started both = start(and(all, "--node-id=1"));
        awaitFile("compute-1");
        both.signal("TERM");
        assertThat(both.await()).isEqualTo(143);
        assertThat(both.err()).isEmpty();
        assertNothingIsLeft();
    }

    private void awaitFile(String name) throws Exception {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() - deadline < 0) {
            try (Stream<Path> files = Files.walk(shm)) {
                if (files.anyMatch(file -> file.endsWith(name))) {
                    return;
                }
            }
            Thread.sleep(10);
        }
        throw new AssertionError("no file " + name);
    }

    @Test
    void aSecondClusterOfTheSameNameIsRejectedAndTheFirstContinues() throws Exception {
        Started first = start(and(FOR_EVER, "--cluster", "twice"));
        first.awaitOut(BEGUN);
        Started second = start("hello", "--cluster", "twice");
        assertThat(second.await()).isEqualTo(2);
        assertThat(second.err()).contains("already running");
        assertThat(first.node(1).isAlive()).isTrue();
        assertThat(first.endsByInterrupt()).isTrue();
        assertNothingIsLeft();
    }
}
