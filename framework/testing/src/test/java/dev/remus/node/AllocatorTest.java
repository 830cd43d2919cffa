// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class AllocatorTest {
    @ParameterizedTest
    @EnumSource
    void blocksOfAllThreadsAreAlignedAndNeverOverlap(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(2, 4, 2)
                .segmentSizeLog2(18)
                .segmentsPerNode(3)
                .checkMemory(true)
                .build();
        SegmentLayout layout = new SegmentLayout(config);
        Map<Long, Long> blocks = new ConcurrentSkipListMap<>();
        kind.run(config, ct -> {
            SplittableRandom random = new SplittableRandom(ct.id());
            for (int i = 0; i < 100; i++) {
                long bytes = random.nextInt(1, i % 10 == 0 ? 6000 : 400);
                long block = ct.allocate(bytes);
                assertThat(RdmaPtr.offset(block) % 64).isZero();
                assertThat(RdmaPtr.offset(block) + bytes).isLessThanOrEqualTo(layout.end(RdmaPtr.segment(block)));
                assertThat(blocks.put(block, bytes)).isNull();
            }
        });
        assertThat(blocks).hasSize(800);
        long end = 0;
        for (Map.Entry<Long, Long> block : blocks.entrySet()) {
            assertThat(block.getKey()).isGreaterThanOrEqualTo(end);
            end = block.getKey() + block.getValue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void globalRoundRobinVisitsTheSegmentsOfAllMemoryNodesInTurn(FabricKind kind) throws Exception {
        kind.run(policy(TestCluster.config(3, 1, 2), AllocationPolicy.GLOBAL_RR), ct -> {
            List<String> places = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                places.add(place(ct.allocate(64)));
            }
            List<String> all = List.of("0/0", "1/0", "2/0", "0/1", "1/1", "2/1");
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                expected.add(all.get((ct.id() + i) % 6));
            }
            assertThat(places).isEqualTo(expected);
        });
    }

    @ParameterizedTest
    @EnumSource
    void globalModuloStaysOnTheSegmentOfTheThreadsNumber(FabricKind kind) throws Exception {
        kind.run(policy(TestCluster.config(2, 2, 3), AllocationPolicy.GLOBAL_MOD), ct -> {
            List<String> all = List.of("0/0", "1/0", "0/1", "1/1");
            for (int i = 0; i < 5; i++) {
                assertThat(place(ct.allocate(64))).isEqualTo(all.get(ct.id() % 4));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void localPoliciesStayOnTheirOwnNode(FabricKind kind) throws Exception {
        kind.run(policy(TestCluster.configOfBoth(3, 2), AllocationPolicy.LOCAL_RR), ct -> {
            for (int i = 0; i < 6; i++) {
                assertThat(place(ct.allocate(64))).isEqualTo(ct.nodeId() + "/" + (ct.id() + i) % 2);
            }
        });
        kind.run(policy(TestCluster.configOfBoth(3, 2), AllocationPolicy.LOCAL_MOD), ct -> {
            for (int i = 0; i < 6; i++) {
                assertThat(place(ct.allocate(64))).isEqualTo(ct.nodeId() + "/" + ct.id() % 2);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void randomReachesEverySegment(FabricKind kind) throws Exception {
        kind.run(policy(TestCluster.config(2, 1, 1), AllocationPolicy.RAND), ct -> {
            Set<String> places = new HashSet<>();
            for (int i = 0; i < 1000; i++) { // a segment is drawn for each run of blocks, not for each block
                places.add(place(ct.allocate(64)));
            }
            assertThat(places).containsExactlyInAnyOrder("0/0", "0/1", "1/0", "1/1");
        });
    }

    private static ClusterConfig policy(ClusterConfig.Builder config, AllocationPolicy policy) {
        return config.segmentSizeLog2(16)
                .segmentsPerNode(2)
                .allocationPolicy(policy)
                .build();
    }

    private static String place(long block) {
        return RdmaPtr.node(block) + "/" + RdmaPtr.segment(block);
    }

    @ParameterizedTest
    @EnumSource
    void everyPolicyUsesAllMemoryThatItMayUseAndThenListsTheFullSegments(FabricKind kind) throws Exception {
        for (AllocationPolicy policy : AllocationPolicy.values()) {
            ClusterConfig config = TestCluster.configOfBoth(2, 1)
                    .segmentSizeLog2(12)
                    .allocationPolicy(policy)
                    .build();
            SegmentLayout layout = new SegmentLayout(config);
            int blocksOfANode = (int) (layout.end(0) + layout.end(1) - 128) / 64;
            kind.run(config, ct -> {
                if (ct.id() == 0) {
                    for (int i = blocksOfANode * (policy.isLocal() ? 1 : 2); i > 0; i--) {
                        ct.allocate(33);
                    }
                    assertThatThrownBy(() -> ct.allocate(33))
                            .isInstanceOf(OutOfRemoteMemoryException.class)
                            .hasMessageContaining("33 bytes")
                            .hasMessageContaining("allocationPolicy (--alloc-pol) " + policy.optionName())
                            .hasMessageContaining("node 0 segment 0: " + layout.end(0) + " of " + layout.end(0))
                            .hasMessageContaining("node 0 segment 1: " + layout.end(1) + " of " + layout.end(1))
                            .hasMessageContaining("--seg-size");
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void anObjectLargerThanASegmentIsRefusedAndSmallerOnesStillFit(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).segmentSizeLog2(16).build(), ct -> {
            for (long bytes : new long[] {1 << 16, 1L << 40, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> ct.allocate(bytes))
                        .isInstanceOf(OutOfRemoteMemoryException.class)
                        .hasMessageContaining(bytes + " bytes")
                        .hasMessageContaining("allocationPolicy (--alloc-pol) GLOBAL-RR")
                        .hasMessageContaining("node 0 segment 1: 64 of 65536");
            }
            long largest = (1 << 16) - 64;
            assertThat(place(ct.allocate(largest))).isEqualTo("0/1");
            assertThatThrownBy(() -> ct.allocate(largest)).isInstanceOf(OutOfRemoteMemoryException.class);
            for (int i = 0; i < 100; i++) {
                assertThat(place(ct.allocate(64))).isEqualTo("0/0");
            }
            for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> ct.allocate(bytes)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }
}
