// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A thread with two lanes to each of two Memory Nodes. The test holds and breaks lanes. */
abstract class HeldLanes {
    final LaneFabric fabric = LaneFabric.weak(32);
    private TestCluster cluster;
    ComputeThread ct;
    long near;
    long far;

    @BeforeEach
    void start() throws Exception {
        cluster = TestCluster.of(
                        TestCluster.config(2, 1, 1)
                                .lanes(2)
                                .lanePolicy(LanePolicy.RR)
                                .opsPerThread(16)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .build(),
                        fabric)
                .start();
        ct = cluster.computeNode(2).openThread(0);
        near = ct.allocate(64);
        far = ct.allocate(64);
        assertThat(RdmaPtr.node(near)).isZero();
        assertThat(RdmaPtr.node(far)).isEqualTo(1);
        ct.write(near, 0);
        ct.write(far, 0);
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        holdAll(false);
        cluster.close();
    }

    void hold(int memoryNode, int lane, boolean hold) {
        fabric.lane(2, memoryNode, lane).hold(hold);
    }

    CompletionBarrier barrier(int memoryNode) {
        return ct.async().barrier(memoryNode);
    }

    /** The lane of Memory Node 0 on which the thread posts next. */
    int nextLane() {
        hold(0, 0, true);
        hold(0, 1, true);
        RemoteFuture probe = ct.async().read(near);
        int used = fabric.lane(2, 0, 0).hasRequestOfThisThread() ? 0 : 1;
        hold(0, 0, false);
        hold(0, 1, false);
        probe.await();
        return 1 - used;
    }

    void holdAll(boolean hold) {
        for (int node = 0; node < 2; node++) {
            hold(node, 0, hold);
            hold(node, 1, hold);
        }
    }

    void assertNothingIsToBeReported() {
        assertThatThrownBy(() -> ct.async().tryAwaitAny(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no completion will come");
    }

    /** Runs an action as soon as the calling thread sleeps. */
    static Thread whenThisThreadSleeps(Runnable action) {
        Thread sleeper = Thread.currentThread();
        Thread other = new Thread(() -> {
            while (sleeper.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            action.run();
        });
        other.start();
        return other;
    }
}
