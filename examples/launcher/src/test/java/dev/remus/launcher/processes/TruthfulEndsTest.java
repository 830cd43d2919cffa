// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.tools.harness.SleepySet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The message and exit status of each process when nodes fail, are missing, or differ in their options. */
@Tag("processes")
@Tag("any-jdk")
@Timeout(400)
class TruthfulEndsTest {
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
        Started process = Started.of(shm, args);
        started.add(process);
        return process;
    }

    /** Starts a node of a cluster with one Memory Node, two Compute Nodes and a thread on each. */
    private Started node(int id, String program, String... more) throws IOException {
        Stream<String> all = Stream.of(
                program,
                "--node-id=" + id,
                "--first-mn-id=0",
                "--last-mn-id=0",
                "--first-cn-id=1",
                "--last-cn-id=2",
                "--mn-port=18515",
                "--cn-threads=1");
        return start(Stream.concat(all, Stream.of(more)).toArray(String[]::new));
    }

    private static void signal(String name, long pid) throws Exception {
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start().waitFor(60, TimeUnit.SECONDS);
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.walk(shm)) {
            assertThat(files.filter(Files::isRegularFile)).allMatch(file -> file.endsWith(".lock"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"abort", "continue"})
    void aMemoryNodeWhoseComputeNodesNeverJoinEndsWithStatus1AndNamesThem(String policy) throws Exception {
        Started memory = node(0, "intset", "--on-node-loss=" + policy, "--connect-timeout=1");
        assertThat(memory.await()).as(memory.err()).isEqualTo(1);
        assertThat(memory.err())
                .isEqualTo("remus: node 0: Compute Nodes 1, 2 never joined: they were not there within 1 s"
                        + ": connectTimeout (--connect-timeout)");
        assertNothingIsLeft();
    }

    @Test
    void aComputeNodeThatStartsAfterTheRunReportsThatTheClusterIsGone() throws Exception {
        Started late = node(2, "intset", "--connect-timeout=1");
        assertThat(late.await()).as(late.err()).isEqualTo(1);
        assertThat(late.err())
                .contains("remus: node 2: Compute Node 2 found no Memory Node 0 of cluster 'remus' on this machine")
                .endsWith(": it was not started, or its run is over");
        assertNothingIsLeft();
    }

    @Test
    void aNodeThatReceivesASignalReportsItToTheOthers() throws Exception {
        String[] options = {"--num-ops=1000000000", "--key-ub=64", "--set=" + SleepySet.class.getName()};
        Started memory = node(0, "intset", options);
        Started one = node(1, "intset", options);
        Started other = node(2, "intset", options);
        one.awaitOut("opened SleepySet");
        other.awaitOut("opened SleepySet");
        other.signal("TERM");
        assertThat(other.await()).isEqualTo(143);
        String message = ": Compute Node 2 failed: its process was asked to end";
        assertThat(one.await()).isEqualTo(1);
        assertThat(one.err()).isEqualTo("remus: node 1" + message);
        assertThat(memory.await()).isEqualTo(1);
        assertThat(memory.err()).isEqualTo("remus: node 0" + message);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({"0, Memory Node 0, Compute Node 1, Compute Node 2", "2, Compute Node 2, Memory Node 0, Compute Node 1"})
    void aProcessThatIsStoppedIsNamedOnceAndSoIsItsReturn(int id, String name, String one, String other)
            throws Exception {
        Started intset = start("intset", "--num-ops=1000000000", "--key-ub=64", "--set=" + SleepySet.class.getName());
        intset.awaitOut("opened SleepySet");
        long stopped = intset.node(id).pid();
        signal("STOP", stopped);
        String silent = ": " + name + " has been silent for ";
        intset.awaitErr(one + silent);
        intset.awaitErr(other + silent);
        Started top = start("top", "--once");
        assertThat(top.await()).isZero();
        assertThat(top.out()).contains("node " + id + "  STOPPED");
        signal("CONT", stopped);
        intset.awaitErr(one + ": " + name + " answers again");
        intset.awaitErr(other + ": " + name + " answers again");
        assertThat(intset.err().lines().filter(line -> line.contains(silent))).hasSize(2);
        assertThat(intset.isAlive())
                .as("a message is printed, but no node is lost")
                .isTrue();
        assertThat(intset.endsByInterrupt()).isTrue();
        assertNothingIsLeft();
    }

    @Test
    void aStoppedComputeNodeIsKilledAfterItsSilenceIfThatIsWantedAndThenItIsLost() throws Exception {
        Started intset = start(
                "intset",
                "--num-ops=1000000000",
                "--key-ub=64",
                "--set=" + SleepySet.class.getName(),
                "--kill-silent=3");
        intset.awaitOut("opened SleepySet");
        ProcessHandle stopped = intset.node(2);
        signal("STOP", stopped.pid());
        intset.awaitErr("Memory Node 0: Compute Node 2 has been silent for ");
        intset.awaitErr(" s, and its process is killed: killSilent (--kill-silent)");
        assertThat(intset.await()).isEqualTo(1);
        assertThat(intset.err()).contains("Compute Node 2 is lost: its process has ended");
        assertThat(stopped.isAlive()).isFalse();
        assertNothingIsLeft();
    }

    @Test
    void nodesWithDifferentPoliciesAreRejectedAndBothSidesPrintTheReason() throws Exception {
        String message = "Memory Node 0 was started with onNodeLoss (--on-node-loss) abort, this node with onNodeLoss"
                + " (--on-node-loss) continue."
                + " All nodes of a cluster need the same";
        Started memory = node(0, "hello");
        Started other = node(1, "hello", "--on-node-loss=continue");
        assertThat(other.await()).as(other.err()).isEqualTo(2);
        assertThat(other.err()).isEqualTo("remus: node 1: " + message);
        assertThat(memory.await()).as(memory.err()).isEqualTo(1);
        assertThat(memory.err()).startsWith("remus: node 0: Compute Node 1 failed: Memory Node 0 was started with");
        assertNothingIsLeft();
    }

    @Test
    void computeNodesWithDifferentProgramOptionsAreRejectedWithTheOptionsName() throws Exception {
        Started memory = node(0, "intset");
        Started one = node(1, "intset", "--key-ub=64");
        one.withTimeout(Duration.ofSeconds(60));
        Started other = node(2, "intset", "--key-ub=128");
        assertThat(List.of(one.await(), other.await())).containsExactlyInAnyOrder(1, 2);
        assertThat(one.err() + other.err())
                .contains("earlier Compute Nodes were started with another --key-ub: here it is ");
        assertThat(memory.await()).isEqualTo(1);
        assertThat(memory.err()).contains("another --key-ub");
        assertNothingIsLeft();
    }

    @Test
    void aPipeInPlaceOfAFileIsRejectedWithARemedy() throws Exception {
        Path user = shm.resolve("remus-" + System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_"));
        Started hello = start("hello");
        assertThat(hello.await()).isZero();
        Path lock = user.resolve(".lock");
        Files.delete(lock);
        assertThat(new ProcessBuilder("mkfifo", lock.toString()).start().waitFor())
                .isZero();
        Started refused = node(0, "hello");
        assertThat(refused.await()).isEqualTo(2);
        assertThat(refused.err())
                .isEqualTo("remus: node 0: " + lock + " is a pipe, socket or device that no node made: rm -r " + lock
                        + ", or set REMUS_SHM_DIR to another folder for shared memory");
        assertThat(lock).exists();
    }
}
