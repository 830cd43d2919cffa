// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.CompletionStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Completions that another thread passes on while a thread arms an id. */
@Timeout(120)
class ArmingTest {
    private final LaneFabric fabric = LaneFabric.weak(16);
    private TestCluster cluster;
    private ComputeThread ct;
    private AsyncLaneEngine engine;
    private Destination destination;
    private RemoteFuture future;

    @BeforeEach
    void postAndArmOne() throws Exception {
        cluster = TestCluster.of(TestCluster.config(1, 1, 1).lanes(1).build(), fabric)
                .start();
        ct = cluster.computeNode(1).openThread(0);
        long block = ct.allocate(64);
        engine = (AsyncLaneEngine) ct.async().engine();
        destination = engine.destination(0);
        fabric.lane(1, 0, 0).hold(true);
        future = ct.async().read(block);
        assertThat(ct.async().barrier(0).poll(future.id(), CompletionGrade.LOCAL))
                .isLessThan(future.id());
    }

    @AfterEach
    void close() {
        fabric.lane(1, 0, 0).hold(false);
        cluster.close();
    }

    @Test
    void anOperationThatEndsBetweenThePollAndTheCountIsNoticedAtOnce() {
        destination.oneLess(); // as a completion that was counted before: the id is armed again
        assertThat(engine.isArmedOver(destination)).isFalse();
        future.end(CompletionStatus.SUCCESS);
        assertThat(engine.armAgain(destination)).isTrue();
    }

    @Test
    void anOperationThatEndsAfterTheCountCausesACheckOfTheId() {
        assertThat(engine.armAgain(destination)).isFalse();
        assertThat(destination.mayBeComplete()).isFalse();
        future.end(CompletionStatus.SUCCESS);
        assertThat(destination.mayBeComplete()).isTrue();
        assertThat(ct.async().awaitArmed().memoryNode()).isZero();
    }

    @Test
    void anOperationThatEndsWhileItIsCountedLeavesNothingToCount() {
        destination.beginCounting();
        assertThat(future.arm()).isTrue();
        future.end(CompletionStatus.SUCCESS);
        assertThat(destination.endCounting(1)).isTrue();
    }
}
