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
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes that are killed, over RDMA: local clusters at the RDMA port of this machine, under both policies. Node 0 has Memory and
 * computes, since it is the start of Java VMs that takes the time on an emulated processor.
 */
@Tag("verbs")
@Tag("processes")
@Timeout(600)
@EnabledIf(value = "dev.remus.examples.cluster.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsNodeLossTest {
    @TempDir
    private Path folder;

    private Path shm() throws IOException {
        return Files.createDirectories(folder.resolve("shm"));
    }

    /** The Java VMs of a cluster may take long to start, all on one emulated processor. */
    private static String[] overVerbs(String... args) {
        return Stream.concat(Stream.of(args), Stream.of("--fabric=verbs", "--connect-timeout=280"))
                .toArray(String[]::new);
    }

    private static Started patient(Started started) {
        return started.patient(Duration.ofSeconds(280));
    }

    @Test
    void aComputeNodeThatIsKilledEndsTheClusterUnderAbort() throws Exception {
        String set = "--set=" + OwnSet.class.getName();
        try (Started intset = patient(Started.of(
                shm(),
                overVerbs(
                        "intset",
                        "--num-ops=1000000000",
                        "--key-ub=64",
                        set,
                        "--on-node-loss=abort",
                        "--first-cn-id=0",
                        "--last-cn-id=1")))) {
            intset.awaitOut("opened OwnSet");
            intset.node(1).destroyForcibly();
            assertThat(intset.await()).isEqualTo(1);
            assertThat(intset.err()).contains("remus: node 1 was killed by signal 9");
            intset.awaitNoChild();
        }
    }

    /** Two Memory Nodes, which share the host and so have ports of their own. The last Compute Node only waits. */
    @Test
    void whenANodeThatHasMemoryAndComputesIsKilledTheOtherGoesOnUnderContinue() throws Exception {
        try (Started run = patient(Started.of(
                shm(),
                ContinueProgram.class,
                overVerbs(
                        "--on-node-loss=continue",
                        "--first-mn-id=0",
                        "--last-mn-id=1",
                        "--first-cn-id=0",
                        "--last-cn-id=1",
                        "--cn-threads=1")))) {
            for (int node = 0; node <= 1; node++) {
                run.awaitOut("node " + node + " | " + ContinueProgram.MET);
            }
            run.node(1).destroyForcibly();
            run.awaitOut("node 0 | " + ContinueProgram.WENT_ON + " with 1 blocks");
            assertThat(run.await()).isEqualTo(1);
        }
    }
}
