package dev.remus.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.examples.harness.OwnSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs over RDMA: one Memory Node and two Compute Nodes, each a process, at the RDMA port of this machine. */
@Tag("verbs")
@Tag("processes")
@Timeout(600)
class VerbsProgramsTest {
    private static final String NO_RDMA = "this machine has no RDMA device: /sys/class/infiniband is empty. "
            + "\"./remus rxe-vm\" starts a virtual machine that has one";

    @TempDir
    private Path folder;

    static boolean hasRdma() {
        String[] devices = Path.of("/sys/class/infiniband").toFile().list();
        return devices != null && devices.length > 0;
    }

    private Started start(String... args) throws IOException {
        return Started.of(shm(), overVerbs(args)).patient(Duration.ofSeconds(280));
    }

    private Path shm() throws IOException {
        return Files.createDirectories(folder.resolve("shm"));
    }

    /** The Java VMs of a cluster may take long to start, all on one emulated processor. */
    private static String[] overVerbs(String... args) {
        return Stream.concat(Stream.of(args), Stream.of("--fabric", "verbs", "--connect-timeout", "280"))
                .toArray(String[]::new);
    }

    @Test
    @EnabledIf(value = "hasRdma", disabledReason = NO_RDMA)
    void helloIsSaidByEveryThread() throws Exception {
        try (Started hello = start("hello")) {
            assertThat(hello.await()).as(hello.err()).isZero();
            assertThat(hello.out().lines().filter(line -> line.contains("hello from Compute Thread")))
                    .hasSize(4);
        }
    }

    @Test
    @EnabledIf(value = "hasRdma", disabledReason = NO_RDMA)
    void theWordsOfASharedObjectAreVerified() throws Exception {
        try (Started shared = start("shared-object")) {
            assertThat(shared.await()).as(shared.err()).isZero();
            assertThat(shared.out()).contains("verified 1024 words");
        }
    }

    @Test
    @EnabledIf(value = "hasRdma", disabledReason = NO_RDMA)
    void theBooksOfASetBalance() throws Exception {
        try (Started intset = start("intset", "--num-ops", "200", "--key-ub", "64")) {
            assertThat(intset.await()).as(intset.err()).isZero();
            assertThat(intset.out()).contains("4 on 2 Compute Nodes", "operations     800", " found: balanced");
        }
    }

    @Test
    @EnabledIf(value = "hasRdma", disabledReason = NO_RDMA)
    void aComputeNodeThatIsKilledEndsTheClusterUnderAbort() throws Exception {
        try (Started intset = start(
                "intset",
                "--num-ops",
                "1000000000",
                "--key-ub",
                "64",
                "--set",
                OwnSet.class.getName(),
                "--on-node-loss",
                "abort")) {
            intset.awaitOut("opened OwnSet");
            intset.node(2).destroyForcibly();
            assertThat(intset.await()).isEqualTo(1);
            assertThat(intset.err()).contains("remus: node 2 was killed by signal 9");
            intset.awaitNoChild();
        }
    }

    /** Two Memory Nodes, which share the host and so have ports of their own. */
    @ParameterizedTest
    @CsvSource({"4, 2", "1, 1"})
    @EnabledIf(value = "hasRdma", disabledReason = NO_RDMA)
    void whenANodeIsKilledTheOthersGoOnUnderContinue(int victim, int usableBlocks) throws Exception {
        try (Started run = Started.of(
                        shm(),
                        ContinueProgram.class,
                        overVerbs(
                                "--on-node-loss=continue",
                                "--first-mn-id=0",
                                "--last-mn-id=1",
                                "--first-cn-id=2",
                                "--last-cn-id=4",
                                "--cn-threads=1"))
                .patient(Duration.ofSeconds(280))) {
            for (int node = 2; node <= 4; node++) {
                run.awaitOut("node " + node + " | " + ContinueProgram.MET);
            }
            ProcessHandle last = run.node(4);
            run.node(victim).destroyForcibly();
            for (int node = 2; node <= 3; node++) {
                run.awaitOut("node " + node + " | " + ContinueProgram.WENT_ON + " with " + usableBlocks + " blocks");
            }
            last.destroyForcibly(); // it would go on for ever
            assertThat(run.await()).isEqualTo(1);
        }
    }

    @Test
    @DisabledIf(value = "hasRdma", disabledReason = "this machine has RDMA")
    void aMachineWithoutRdmaIsToldSoOnce() throws Exception {
        try (Started hello = start("hello")) {
            assertThat(hello.await()).isEqualTo(ExitStatus.NOT_STARTED);
            assertThat(hello.err().lines()).singleElement().asString().contains("no RDMA device", "./remus doctor");
        }
    }
}
