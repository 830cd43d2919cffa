// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.memory.RdmaPtr;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The blocking operations that are built from posted chains, over lanes that guarantee no more than the contract. */
@Timeout(120)
class LaneMemoryTest {
    /** Eight words on each of two Memory Nodes. */
    private static List<Long> words(ComputeThread ct) {
        List<Long> words = new ArrayList<>();
        for (int block = 0; block < 2; block++) {
            long start = ct.allocate(64);
            for (int i = 0; i < 8; i++) {
                words.add(start + 8L * i);
            }
        }
        assertThat(words.stream().map(RdmaPtr::node).distinct()).hasSize(2);
        return words;
    }

    @ParameterizedTest
    @EnumSource
    void everyLanePolicyKeepsThePromisesOfBlockingOperations(LanePolicy policy) throws Exception {
        ClusterConfig config =
                TestCluster.config(2, 1, 3).lanes(3).lanePolicy(policy).build();
        TestCluster.of(config, LaneFabric.weak(8)).run(ct -> {
            for (long word : words(ct)) {
                for (long i = 0; i < 20; i++) {
                    ct.write(word, i);
                    assertThat(ct.read(word)).isEqualTo(i);
                }
                assertThat(ct.compareAndSwap(word, 19, 5)).isEqualTo(19);
                assertThat(ct.compareAndSwap(word, 19, 6)).isEqualTo(5);
                assertThat(ct.fetchAndAdd(word, -6)).isEqualTo(5);
                assertThat(ct.read(word)).isEqualTo(-1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void afterPlaceTheWritesOnAllLanesAndMemoryNodesAreVisible(LanePolicy policy) throws Exception {
        ClusterConfig config =
                TestCluster.config(2, 1, 2).lanes(4).lanePolicy(policy).build();
        TestCluster.of(config, LaneFabric.weak(8)).run(ct -> {
            List<Long> words = words(ct);
            for (long round = 1; round <= 10; round++) {
                for (long word : words) {
                    ct.post(word, round);
                }
                ct.place();
                for (long word : words) {
                    assertThat(ct.read(word)).isEqualTo(round);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void farMoreWritesThanFitAreAcceptedAndAllArrive(LanePolicy policy) throws Exception {
        ClusterConfig config = TestCluster.config(2, 1, 4)
                .lanes(4)
                .lanePolicy(policy)
                .segmentSizeLog2(16)
                .build();
        LaneFabric fabric = LaneFabric.weak(4);
        try (TestCluster cluster = TestCluster.of(config, fabric).start()) {
            cluster.runThreads(ct -> {
                List<Long> blocks = List.of(ct.allocate(2400), ct.allocate(2400));
                for (int i = 0; i < 300; i++) {
                    ct.post(blocks.get(i % 2) + 8L * i, i);
                }
                ct.place();
                for (int i = 0; i < 300; i++) {
                    assertThat(ct.read(blocks.get(i % 2) + 8L * i)).isEqualTo(i);
                }
            });
            assertThat(fabric.lane(2, 0, 0).maxPosted()).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void aLaneFullOfUnawaitedWritesDrainsByItself() throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 8).lanes(1).build();
        // 8 threads with up to 64 posted WRITEs each: more than the depth of 256, and no READ in between.
        FabricKind.LANES.run(config, ct -> {
            long block = ct.allocate(64 * 8);
            ct.barrier();
            for (int i = 0; i < 63; i++) {
                ct.post(block + 8L * i, i);
            }
            ct.barrier();
            assertThat(ct.read(block + 8L * 62)).isEqualTo(62);
        });
    }

    @Test
    void manyThreadsOnFewLanesGetTheirOwnResults() throws Exception {
        ClusterConfig config =
                TestCluster.config(2, 2, 8).lanes(2).segmentSizeLog2(16).build();
        TestCluster.of(config, LaneFabric.weak(6)).run(ct -> {
            List<Long> words = words(ct);
            for (long i = 0; i < 15; i++) {
                for (long word : words) {
                    ct.write(word, word + i);
                }
                for (long word : words) {
                    assertThat(ct.read(word)).isEqualTo(word + i);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(FabricKind.class)
    void largeTransfersArriveWholeInPartsOfTheThreadsBuffer(FabricKind kind) throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 2)
                .threadBufferLog2(12)
                .segmentSizeLog2(17)
                .build();
        kind.run(config, ct -> {
            int bytes = 3 * 4096 + 104;
            long block = ct.allocate(bytes + 8);
            ct.write(block + bytes, -1);
            ByteBuffer out = ByteBuffer.allocate(bytes + 3);
            for (int i = 0; i < bytes; i++) {
                out.put(3 + i, (byte) (i * 31 + ct.id()));
            }
            out.position(3);
            ct.write(block, out);
            assertThat(out.remaining()).isZero();
            ByteBuffer in = ByteBuffer.allocateDirect(bytes);
            ct.read(block, in);
            assertThat(in.remaining()).isZero();
            assertThat(in.flip()).isEqualTo(out.position(3));
            assertThat(ct.read(block + bytes)).isEqualTo(-1);
        });
    }

    @Test
    void aLostWriteIsReportedEvenIfAnotherThreadHasRepairedTheLane() throws Exception {
        ClusterConfig config = TestCluster.config(1, 1, 2).lanes(1).build();
        LaneFabric fabric = LaneFabric.weak(16);
        TestCluster.of(config, fabric).run(ct -> {
            WeakLane lane = fabric.lane(1, 0, 0);
            if (ct.id() == 0) {
                long word = ct.allocate(64);
                ct.write(word, 1);
                lane.hold(true);
                ct.post(word, 2);
                lane.failNext(CompletionStatus.REMOTE_ACCESS_ERROR);
                lane.hold(false);
                while (lane.repairs() == 0) { // the other thread, or the node's watch
                    LockSupport.parkNanos(100_000);
                }
                assertThatThrownBy(ct::place)
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("unknown");
                ct.place();
                assertThat(ct.read(word)).isEqualTo(1);
            } else {
                while (lane.repairs() == 0) {
                    try {
                        ct.root().get();
                    } catch (FabricException e) {
                        assertThat(e).hasMessageContaining("failed");
                    }
                }
            }
        });
    }
}
