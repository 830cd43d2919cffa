// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.await.Await;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.fabric.verbs.RdmaMachine;
import dev.remus.launcher.Main;
import dev.remus.tools.harness.OwnSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Node losses over RDMA under both policies, with clusters at the RDMA port of this machine. Node 0 is both a Memory
 * Node and a Compute Node. Nodes that need not be killed run in this JVM, because JVMs start slowly on an emulated
 * processor.
 */
@Tag("verbs")
@Tag("processes")
@Tag("programs")
@Timeout(600)
@EnabledIf(value = "dev.remus.fabric.verbs.RdmaMachine#isThere", disabledReason = RdmaMachine.MISSING)
class VerbsNodeLossTest {
    /** The JVMs of a cluster may start slowly, all on one emulated processor. */
    private static final Duration TIMEOUT = Duration.ofSeconds(280);

    @TempDir
    private Path folder;

    private Path shm() throws IOException {
        return Files.createDirectories(folder.resolve("shm"));
    }

    private static String[] overVerbs(String... args) {
        return Stream.concat(Stream.of(args), Stream.of("--fabric=verbs", "--connect-timeout=280"))
                .toArray(String[]::new);
    }

    /** The starter of the cluster runs in this JVM; its two nodes are processes. */
    @Test
    void aComputeNodeThatIsKilledEndsTheClusterUnderAbort() throws Exception {
        String[] words = overVerbs(
                "intset",
                "--num-ops=1000000000",
                "--key-ub=64",
                "--set=" + OwnSet.class.getName(),
                "--out=" + folder,
                "--on-node-loss=abort",
                "--first-cn-id=0",
                "--last-cn-id=1");
        try (RunHere intset = new RunHere(TIMEOUT, (out, err) -> Main.run(words, out, err))) {
            intset.awaitOut("opened OwnSet");
            List<ProcessHandle> nodes = List.of(intset.node(0), intset.node(1));
            nodes.get(1).destroyForcibly();
            assertThat(intset.await()).isEqualTo(ExitStatus.FAILED);
            assertThat(intset.err()).contains("remus: node 1 was killed by signal 9");
            Await.end(nodes);
        }
    }

    /** Two Memory Nodes share the host and so have separate ports. The last Compute Node, a process, only waits. */
    @Test
    void whenANodeWithMemoryAndThreadsIsKilledTheOtherContinuesUnderContinue() throws Exception {
        String host = RdmaMachine.host();
        String[] words = overVerbs(
                "--hosts=" + host + "," + host,
                "--cluster=loss-" + ProcessHandle.current().pid(),
                "--mn-port=28900",
                "--on-node-loss=continue",
                "--first-mn-id=0",
                "--last-mn-id=1",
                "--first-cn-id=0",
                "--last-cn-id=1",
                "--cn-threads=1");
        try (Started victim =
                        Started.of(shm(), ContinueProgram.class, of(1, words)).withTimeout(TIMEOUT);
                RunHere survivor = new RunHere(
                        TIMEOUT,
                        (out, err) -> new ProgramRunner(new ContinueProgram(), ContinueProgram.class, out, err)
                                .run(of(0, words)))) {
            survivor.awaitOut(ContinueProgram.MET);
            victim.awaitOut(ContinueProgram.MET);
            victim.signal("KILL");
            survivor.awaitOut(ContinueProgram.CONTINUED + " with 1 blocks");
            assertThat(survivor.await()).isEqualTo(ExitStatus.OK);
        }
    }

    private static String[] of(int node, String... words) {
        return Stream.concat(Stream.of("--node-id=" + node), Stream.of(words)).toArray(String[]::new);
    }
}
