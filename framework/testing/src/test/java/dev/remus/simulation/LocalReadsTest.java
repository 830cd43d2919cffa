// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.Reclamation;
import dev.remus.fabric.LocalBuffer;
import dev.remus.junit.SimulationTest;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.CompletionGrade;
import dev.remus.node.ComputeThread;
import org.junit.jupiter.api.Test;

/** Nodes that are both read words of their own memory by loads; all other operations go over lanes. */
class LocalReadsTest {
    private static final int SCHEDULES = 200;

    private static final ClusterConfig CONFIG = ClusterConfig.builder()
            .cluster("local")
            .memoryNodes(0, 1)
            .computeNodes(0, 1)
            .segmentSizeLog2(12)
            .reclaim(Reclamation.BARRIER)
            .lanes(3)
            .lanePolicy(LanePolicy.RR)
            .build();

    /** A block of zeros on Memory Node 0, known to all after a barrier. */
    private static long block(ComputeThread ct) {
        if (ct.id() == 0) {
            long block = ct.allocateNear(64);
            assertThat(RdmaPtr.node(block)).isZero();
            for (int i = 0; i < 64; i += 8) {
                ct.write(block + i, 0);
            }
            ct.root().set(new RdmaPtr<>(block));
        }
        ct.barrier();
        return ct.root().get().raw();
    }

    @Test
    void localReadsAreCountedSeparatelyAndAreNoRoundTrips() throws Exception {
        new SimulatedCluster(CONFIG, Schedule.random(1)).withLocalReads().run(ct -> {
            long block = block(ct);
            long trips = ct.metrics().roundTrips();
            long reads = ct.metrics().reads();
            long bytes = ct.metrics().readBytes();
            long local = ct.metrics().localReads();
            for (int i = 0; i < 5; i++) {
                assertThat(ct.read(block)).isZero();
            }
            int own = ct.nodeId() == 0 ? 5 : 0;
            assertThat(ct.metrics().localReads() - local).isEqualTo(own);
            assertThat(ct.metrics().reads() - reads).isEqualTo(5 - own);
            assertThat(ct.metrics().readBytes() - bytes).isEqualTo(8L * (5 - own));
            assertThat(ct.metrics().roundTrips() - trips).isEqualTo(5 - own);
            LocalBuffer to = ct.allocateLocal(64);
            ct.read(block, to, 0, 8);
            ct.async().read(block).await();
            assertThat(ct.metrics().localReads() - local)
                    .as("nothing else bypasses the lanes")
                    .isEqualTo(own);
            ct.barrier();
        });
    }

    @SimulationTest(schedules = SCHEDULES)
    void afterAPostAThreadReadsOverALaneUntilItIsPlaced(Schedule schedule) throws Exception {
        new SimulatedCluster(CONFIG, schedule).withLocalReads().run(ct -> {
            long block = block(ct);
            if (ct.id() == 0) {
                long local = ct.metrics().localReads();
                ct.post(block, 1);
                ct.read(block);
                ct.async().read(block).detach();
                long id = ct.async().write(block, 2).detach();
                ct.async().barrier(0).await(id, CompletionGrade.LOCAL);
                ct.read(block);
                boolean placed = ct.async().barrier(0).completed(CompletionGrade.REMOTE) == id;
                assertThat(placed || ct.metrics().localReads() == local).isTrue();
                ct.place();
                local = ct.metrics().localReads();
                assertThat(ct.read(block)).isIn(1L, 2L);
                assertThat(ct.metrics().localReads() - local).isEqualTo(1);
            }
            ct.barrier();
        });
    }

    @SimulationTest(schedules = SCHEDULES)
    void aThreadThatSeesAFlagByALoadSeesEarlierWritesAndCountsNeverGoBack(Schedule schedule) throws Exception {
        new SimulatedCluster(CONFIG, schedule).withLocalReads().run(ct -> {
            long data = block(ct);
            long flag = data + 8;
            long counter = data + 16;
            ct.barrier();
            if (ct.id() == 1) {
                for (int i = 1; i <= 5; i++) {
                    ct.async().write(data, i).await();
                    ct.write(flag, i);
                    assertThat(ct.fetchAndAdd(counter, 1)).isGreaterThanOrEqualTo(i - 1);
                    assertThat(ct.compareAndSwap(counter, -1, 0)).isGreaterThanOrEqualTo(i);
                }
            } else {
                long counted = 0;
                for (int i = 0; i < 20; i++) {
                    long seen = ct.read(flag);
                    assertThat(ct.read(data)).isGreaterThanOrEqualTo(seen);
                    long now = ct.read(counter);
                    assertThat(now).isGreaterThanOrEqualTo(counted);
                    counted = now;
                    if (i % 5 == 0) {
                        assertThat(ct.fetchAndAdd(counter, 1)).isGreaterThanOrEqualTo(counted);
                    }
                    ct.pause();
                }
            }
            ct.barrier();
        });
    }
}
