// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A valid configuration returns its values; {@link ClusterRulesTest} tests invalid ones. */
class ClusterConfigTest {
    /** Memory Nodes 3..5, Compute Nodes 5..6: node 5 is both. */
    private static ClusterConfig.Builder overlapping() {
        return ClusterConfig.builder().memoryNodes(3, 5).computeNodes(5, 6);
    }

    @Test
    void theDefaultsAreThoseOfTheOriginal() {
        ClusterConfig config = overlapping().build();

        assertThat(config.segmentSizeLog2()).isEqualTo(20);
        assertThat(config.segmentsPerNode()).isEqualTo(2);
        assertThat(config.threadBufferLog2()).isEqualTo(20);
        assertThat(config.allocationPolicy()).isEqualTo(AllocationPolicy.GLOBAL_RR);
        assertThat(config.opsPerThread()).isEqualTo(8);
    }

    @Test
    void aThreadHasALaneOfItsOwn() {
        ClusterConfig config = overlapping().threadsPerNode(2).build();

        assertThat(config.lanes()).isEqualTo(2);
        assertThat(config.lanePolicy()).isEqualTo(LanePolicy.MOD);
    }

    @Test
    void settingsThatTheOriginalLacksHaveDefaultsThatNeedNoHardware() {
        ClusterConfig config = overlapping().build();

        assertThat(config.fabric()).isEqualTo("shm");
        assertThat(config.cluster()).isEqualTo("remus");
        assertThat(config.hosts()).isEmpty();
        assertThat(config.hostPattern()).isEqualTo("node%d");
        assertThat(config.memoryPort()).isEqualTo(18515);
        assertThat(config.threadsPerNode()).isEqualTo(1);
        assertThat(config.onNodeLoss()).isEqualTo(OnNodeLoss.ABORT);
        assertThat(config.reclaim()).isEqualTo(Reclamation.EPOCHS);
        assertThat(config.checkMemory()).isFalse();
        assertThat(config.allocationWait()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.lossTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.killSilent()).isZero();
        assertThat(config.returns()).isZero();
        assertThat(config.threadIds()).isEqualTo(config.totalThreads());
    }

    @Test
    void sizesInBytesArePowersOfTheirLogarithms() {
        ClusterConfig config =
                overlapping().segmentSizeLog2(36).threadBufferLog2(30).build();

        assertThat(config.segmentBytes()).isEqualTo(68_719_476_736L);
        assertThat(config.threadBufferBytes()).isEqualTo(1_073_741_824);
    }

    @Test
    void aNodeInBothRangesIsAMemoryNodeAndAComputeNode() {
        ClusterConfig config = overlapping().build();

        assertThat(Stream.of(2, 3, 4, 5, 6, 7).filter(config::isMemoryNode)).containsExactly(3, 4, 5);
        assertThat(Stream.of(2, 3, 4, 5, 6, 7).filter(config::isComputeNode)).containsExactly(5, 6);
    }

    @Test
    void aNodeInBothRangesCountsOnceAmongTheNodes() {
        ClusterConfig config = overlapping().threadsPerNode(7).build();

        assertThat(config.memoryNodes()).isEqualTo(3);
        assertThat(config.computeNodes()).isEqualTo(2);
        assertThat(config.nodes()).isEqualTo(4);
        assertThat(config.totalThreads()).isEqualTo(14);
        assertThat(config.lowestNode()).isEqualTo(3);
        assertThat(config.highestNode()).isEqualTo(6);
    }

    @Test
    void thePatternNamesTheHostOfANodeByItsId() {
        ClusterConfig config = overlapping().hostPattern("apt%d.example").build();

        assertThat(config.host(3)).isEqualTo("apt3.example");
        assertThat(config.host(6)).isEqualTo("apt6.example");
    }

    @Test
    void hostsAreInTheOrderOfNodeIdsFromTheLowestAndGoBeforeThePattern() {
        ClusterConfig config = overlapping().hosts(List.of("a", "b", "c", "d")).build();

        assertThat(config.host(3)).isEqualTo("a");
        assertThat(config.host(6)).isEqualTo("d");
    }

    @Test
    void aRequestForTheHostOfANodeThatDoesNotExistIsRejectedByName() {
        ClusterConfig config = overlapping().build();

        assertThatThrownBy(() -> config.host(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node 2")
                .hasMessageContaining("3..6");
        assertThatThrownBy(() -> config.host(7)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aListOfHostsThatChangesLaterDoesNotChangeTheConfiguration() {
        List<String> hosts = new ArrayList<>(List.of("a", "b", "c", "d"));
        ClusterConfig config = overlapping().hosts(hosts).build();
        hosts.set(0, "elsewhere");

        assertThat(config.host(3)).isEqualTo("a");
    }

    @Test
    void aBuilderDoesNotChangeConfigurationsThatItMadeBefore() {
        ClusterConfig.Builder builder = overlapping();
        ClusterConfig before = builder.build();
        builder.lanes(9);

        assertThat(before.get(ClusterSettings.LANES)).isEqualTo(ClusterSettings.AUTOMATIC_LANES);
        assertThat(builder.build().lanes()).isEqualTo(9);
    }

    @Test
    void theTextNamesTheClusterAndItsNodes() {
        assertThat(overlapping().cluster("mine").build()).asString().contains("mine", "shm", "3..5", "5..6");
    }

    private static Stream<UnaryOperator<ClusterConfig.Builder>> changes() {
        return Stream.of(
                b -> b.fabric("sim"),
                b -> b.cluster("other"),
                b -> b.hosts(List.of("a", "b", "c", "d")),
                b -> b.hostPattern("h%d"),
                b -> b.memoryNodes(2, 5),
                b -> b.memoryNodes(3, 4),
                b -> b.computeNodes(4, 6),
                b -> b.computeNodes(5, 7),
                b -> b.memoryPort(1),
                b -> b.threadsPerNode(2),
                b -> b.segmentSizeLog2(21),
                b -> b.segmentsPerNode(3),
                b -> b.lanes(3),
                b -> b.lanePolicy(LanePolicy.RR),
                b -> b.threadBufferLog2(21),
                b -> b.allocationPolicy(AllocationPolicy.RAND),
                b -> b.allocationWait(Duration.ofSeconds(9)),
                b -> b.opsPerThread(9),
                b -> b.cacheRecords(0),
                b -> b.emulatedLatency("2"),
                b -> b.clusterSecret("file"),
                b -> b.onNodeLoss(OnNodeLoss.CONTINUE),
                b -> b.checkMemory(true),
                b -> b.connectTimeout(Duration.ofSeconds(61)),
                b -> b.lossTimeout(Duration.ofSeconds(11)),
                b -> b.killSilent(Duration.ofSeconds(3)),
                b -> b.ackTimeout(14),
                b -> b.retryCount(5),
                b -> b.rnrRetryCount(5),
                b -> b.trafficClass(104),
                b -> b.device("mlx5_0"),
                b -> b.gidIndex(3));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void everyValueCountsForEqualityAndIsCopied(UnaryOperator<ClusterConfig.Builder> change) {
        ClusterConfig plain = overlapping().build();
        ClusterConfig changed = change.apply(overlapping()).build();

        assertThat(changed).isNotEqualTo(plain);
        assertThat(changed.toBuilder().build()).isEqualTo(changed).hasSameHashCodeAs(changed);
    }
}
