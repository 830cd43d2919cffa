// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NodeProcesses;
import dev.remus.fabric.OtherNode;
import dev.remus.fabric.PeerState;
import dev.remus.fabric.Release;
import dev.remus.fabric.Version;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of different versions in one folder refuse each other by name. */
@Tag("processes")
@Timeout(180)
class OtherVersionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Version LATER = new Version("9.8.7", Version.PRESENT.protocol() + 1, Version.PRESENT.layout());

    private static final Version SAME_FORMATS =
            new Version("9.8.6", Version.PRESENT.protocol(), Version.PRESENT.layout());

    private final ClusterConfig config = ShmFilesTest.config(16);
    private final ClusterDirectory directory = new ClusterDirectory(config.cluster());

    private static void assertRefused(ComputeEndpoint compute, Version theirs, Version own) {
        assertThatThrownBy(() -> compute.connect(0, 1, PATIENCE))
                .isExactlyInstanceOf(FabricException.class)
                .hasMessage(own.refusal("Memory Node 0", theirs).getMessage());
    }

    @Test
    void nodesOfTwoVersionsRefuseEachOther() {
        Version[][] pairs = {{Version.PRESENT, LATER}, {LATER, Version.PRESENT}};
        for (Version[] pair : pairs) {
            try (MemoryEndpoint memory = new ShmFabric(pair[0]).openMemory(config, 0);
                    ComputeEndpoint compute = new ShmFabric(pair[1]).openCompute(config, 1)) {
                memory.publish();
                assertRefused(compute, pair[0], pair[1]);
                assertThat(memory.peer(1)).isEqualTo(PeerState.ABSENT);
                assertThat(memory.incarnation(1)).isZero();
            }
        }
    }

    @Test
    void nodesWhoseSoftwareAloneDiffersWorkTogether() {
        try (MemoryEndpoint memory = new ShmFabric(SAME_FORMATS).openMemory(config, 0);
                ComputeEndpoint compute = new ShmFabric().openCompute(config, 1)) {
            memory.publish();
            assertThat(compute.connect(0, 1, PATIENCE).segments()).isEqualTo(2);
            assertThat(memory.peer(1)).isEqualTo(PeerState.JOINED);
        }
    }

    @Test
    void aMemoryNodeInAnotherProcessIsRefusedIfItsVersionDiffers() {
        try (NodeProcesses processes = new NodeProcesses(ShmFabric.class);
                OtherNode memory = processes.startMemory(config, 0);
                ComputeEndpoint compute = new ShmFabric(LATER).openCompute(config, 1)) {
            assertRefused(compute, Version.PRESENT, LATER);
            assertThat(memory.ask("peer 1")).isEqualTo("ABSENT");
        }
    }

    @Test
    void aMemoryNodeOfTheLastReleaseIsRefused() throws IOException {
        try (NodeProcesses processes = new NodeProcesses(ShmFabric.class);
                OtherNode memory = processes.startMemory(config, 0);
                ComputeEndpoint compute = new ShmFabric().openCompute(config, 1)) {
            overwrite(directory.memoryNode(0), new Release("0.1.0").text("memory-node-file"));
            assertRefused(compute, new Version("", 0, 0), Version.PRESENT);
            memory.kill();
        }
    }

    @Test
    void aComputeNodeOfTheLastReleaseDoesNotJoin() throws IOException {
        try (MemoryEndpoint memory = new ShmFabric().openMemory(config, 0);
                NodeProcesses processes = new NodeProcesses(ShmFabric.class)) {
            memory.publish();
            try (OtherNode compute = processes.startCompute(config, 1)) {
                overwrite(directory.computeNode(1), new Release("0.1.0").text("compute-node-file"));
                assertThat(memory.peer(1)).isEqualTo(PeerState.ABSENT);
                compute.kill();
            }
            assertThat(memory.peer(1)).isEqualTo(PeerState.ABSENT);
        }
    }

    /** A Compute Node of that release refuses it by this entry; {@code .ci/last-release} runs one. */
    @Test
    void aMemoryNodeStatesItsLayoutWhereTheLastReleaseLooksForIt() throws IOException {
        try (MemoryEndpoint memory = new ShmFabric().openMemory(config, 0)) {
            memory.publish();
            assertThat(new Release("0.1.0").text("memory-node-file")).contains("\nlayout=1\n");
            assertThat(Files.readString(directory.memoryNode(0))).containsPattern("\nlayout=(?!1\n)");
        }
    }

    /** Keeps the inode, and with it the lock of the other process. */
    private static void overwrite(Path path, String contents) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(0);
            file.write(contents.getBytes(StandardCharsets.UTF_8));
        }
    }
}
