// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.Release;
import dev.remus.fabric.Version;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.SimFabric;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.Weakness;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ConnectTest {
    private static final Version LATER = new Version("", Version.PRESENT.protocol(), Version.PRESENT.layout() + 1);

    private static void refused(FabricKind kind, ClusterConfig memory, ClusterConfig compute, String... options) {
        try (TestCluster cluster = kind.cluster(memory)) {
            cluster.startMemoryNode(0);
            assertThatThrownBy(() -> ComputeNode.connect(compute, compute.lastComputeNode(), kind.fabric()))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("Memory Node 0")
                    .hasMessageContainingAll(options);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryNodeWithOtherOptionsIsRefusedAndTheMessageNamesThem(FabricKind kind) {
        ClusterConfig m = TestCluster.config(1, 4, 2).build();
        refused(kind, m, m.toBuilder().segmentSizeLog2(19).build(), "segmentSizeLog2 (--seg-size) 19");
        refused(kind, m, m.toBuilder().segmentsPerNode(3).build(), "segmentsPerNode (--segs-per-mn) 3");
        refused(kind, m, m.toBuilder().checkMemory(true).build(), "checkMemory (--check-memory)");
        refused(kind, m, m.toBuilder().computeNodes(1, 100).build(), "--last-cn-id");
        // These differ so little that all tables are at the same places.
        refused(kind, m, m.toBuilder().computeNodes(0, 4).build(), "--first-cn-id");
        refused(
                kind,
                m,
                m.toBuilder().computeNodes(1, 3).build(),
                "with computeNodes(..., last) (--last-cn-id) 4, this node with computeNodes(..., last) (--last-cn-id) 3.");
        refused(kind, m, m.toBuilder().threadsPerNode(3).build(), "threadsPerNode (--cn-threads)");
    }

    @ParameterizedTest
    @EnumSource
    void aMemoryNodeWhoseSegmentsAreOfAnotherVersionIsRefusedByName(FabricKind kind) {
        ClusterConfig config = TestCluster.config(1, 2, 1).build();
        try (TestCluster cluster = kind.cluster(config)) {
            cluster.startMemoryNode(0);
            ComputeNode first = cluster.connect(1);
            long word = SegmentLayout.header(0, 1, SegmentHeader.MAGIC);
            first.openThread(0)
                    .parts
                    .checked
                    .fetchAndAddHeader(word, SegmentHeader.magic(LATER) - SegmentHeader.MAGIC_AND_VERSION);
            assertThatThrownBy(() -> ComputeNode.connect(config, 2, kind.fabric()))
                    .isExactlyInstanceOf(FabricException.class)
                    .hasMessage(Version.PRESENT.refusal("Memory Node 0", LATER).getMessage());
        }
    }

    @Test
    void aSimulatedMemoryNodeOfTheLastReleaseIsRefusedByName() {
        ClusterConfig config = TestCluster.config(1, 1, 1).build();
        SimFabric fabric = new SimFabric(new Simulator(1, new RandomScheduler(1), EnumSet.noneOf(Weakness.class)));
        byte[] header = new Release("0.1.0").bytes("segment-0-header");
        long magic = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong(SegmentHeader.MAGIC);
        try (MemoryEndpoint memory = fabric.openMemory(config, 0)) {
            memory.set(0, SegmentHeader.MAGIC, magic);
            memory.publish();
            assertThatThrownBy(() -> ComputeNode.connect(config, 1, fabric))
                    .isExactlyInstanceOf(FabricException.class)
                    .hasMessage(Version.PRESENT
                            .refusal("Memory Node 0", new Version("", 0, 4))
                            .getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMissingMemoryNodeIsNamedByThePresentOnesToo(FabricKind kind) {
        theMissingMemoryNodeIsNamed(kind, 1);
    }

    @ParameterizedTest
    @EnumSource
    void aMissingFirstMemoryNodeIsNamedByTheOtherToo(FabricKind kind) {
        theMissingMemoryNodeIsNamed(kind, 0);
    }

    private static void theMissingMemoryNodeIsNamed(FabricKind kind, int missing) {
        ClusterConfig config = TestCluster.config(2, 1, 1).build();
        // The Memory Node waits longer, else it may give up this node first.
        ClusterConfig impatient =
                config.toBuilder().connectTimeout(Duration.ofSeconds(1)).build();
        try (TestCluster cluster = kind.cluster(config)) {
            cluster.startMemoryNode(1 - missing);
            assertThatThrownBy(() -> ComputeNode.connect(impatient, 2, kind.fabric()))
                    .isInstanceOfSatisfying(
                            NodeLostException.class, e -> assertThat(e.node()).isEqualTo(missing));
            assertThatThrownBy(cluster.memoryNode(1 - missing)::awaitFinished)
                    .isInstanceOfSatisfying(
                            NodeLostException.class, e -> assertThat(e.node()).isEqualTo(missing));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theOnlyMemoryNodeIsNamedIfItIsMissing(FabricKind kind) {
        ClusterConfig config = TestCluster.config(1, 1, 1)
                .connectTimeout(Duration.ofSeconds(1))
                .build();
        try (TestCluster cluster = kind.cluster(config)) {
            assertThatThrownBy(() -> cluster.connect(1))
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining("Memory Node 0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNodeCannotBeStartedTwice(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 1).build();
        try (TestCluster cluster = kind.cluster(config).start()) {
            assertThatThrownBy(() -> MemoryNode.start(config, 0, kind.fabric()))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("already running");
            assertThatThrownBy(() -> ComputeNode.connect(config, 1, kind.fabric()))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("already running");
            cluster.runThreads(ComputeThread::barrier); // and the first nodes are unaffected
        }
    }

    @ParameterizedTest
    @EnumSource
    void idsOfTheOtherKindAreRefused(FabricKind kind) {
        ClusterConfig config = TestCluster.config(2, 2, 1).build();
        assertThatThrownBy(() -> MemoryNode.start(config, 2, kind.fabric()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("those are 0 to 1");
        assertThatThrownBy(() -> ComputeNode.connect(config, 1, kind.fabric()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("those are 2 to 3");
    }

    @ParameterizedTest
    @EnumSource
    void aComputeNodeThatHasLeftARunIsRefusedWhenItJoinsAgain(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 2, 1).build();
        try (TestCluster cluster = kind.cluster(config)) {
            cluster.startMemoryNode(0);
            cluster.connect(1);
            cluster.connect(2).close();
            assertThatThrownBy(() -> {
                        while (true) { // until the Memory Node has noticed
                            cluster.connect(2).close();
                        }
                    })
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("Compute Node 2")
                    .hasMessageContaining("cannot join again");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aComputeNodeThatCannotJoinAgainDoesNotEndTheOthersIfItsOptionsDiffer(FabricKind kind) throws Exception {
        ClusterConfig config =
                TestCluster.config(1, 2, 1).agreed(Map.of("--keys", "1")).build();
        ClusterConfig other = config.toBuilder().agreed(Map.of("--keys", "2")).build();
        try (TestCluster cluster = kind.cluster(config)) {
            cluster.startMemoryNode(0);
            ComputeNode stays = cluster.connect(1);
            assertThatThrownBy(() -> {
                        while (true) { // until the Memory Node has noticed
                            cluster.connect(2).close();
                        }
                    })
                    .hasMessageContaining("cannot join again");
            assertThatThrownBy(() -> ComputeNode.connect(other, 2, kind.fabric()))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("cannot join again");
            try (ComputeThread ct = stays.openThread(0)) {
                assertThat(ct.parts.checked.readHeader(SegmentLayout.header(0, 0, SegmentHeader.LOSS)))
                        .as("the loss word")
                        .isZero();
            }
        }
    }
}
