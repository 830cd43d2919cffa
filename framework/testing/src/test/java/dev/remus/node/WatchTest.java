// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread of a Compute Node that watches the others. It uses lane 1; the only Compute Thread uses lane 0. */
@Timeout(120)
class WatchTest {
    private final LaneFabric fabric = LaneFabric.weak(16);
    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        ClusterConfig config = TestCluster.config(1, 2, 1)
                .lanes(2)
                .lanePolicy(LanePolicy.ONE_TO_ONE)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(Duration.ofSeconds(1))
                .build();
        cluster = TestCluster.of(config, fabric).start();
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        cluster.close();
    }

    private WeakLane lane() {
        return fabric.lane(1, 0, 1);
    }

    @Test
    void aNodeThatCanNoLongerWatchTheOthersEndsItsThreads() {
        ComputeThread ct = cluster.computeNode(1).openThread(0);
        long block = ct.allocate(64);
        lane().failAll(CompletionStatus.RETRY_EXCEEDED);
        Throwable thrown = null;
        while (thrown == null) {
            thrown = catchThrowable(() -> ct.read(block));
        }
        lane().failAll(CompletionStatus.SUCCESS);
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(1))
                .hasMessageContaining("it can no longer watch the others");
    }

    @Test
    void theReasonOfAFailureIsStoredAgainWhereTheFirstAttemptFailed() {
        ComputeThread other = cluster.computeNode(2).openThread(0);
        SegmentLayout layout = new SegmentLayout(other.config());
        lane().failWrites(1);
        cluster.computeNode(1).abort("a test");
        String reason = "";
        while (reason.isEmpty()) {
            reason = FailureReason.text(word -> other.parts.checked.readHeader(layout.reason(0, 1, word)));
        }
        assertThat(reason).isEqualTo("a test");
        assertThat(lane().repairs()).isPositive();
    }

    @Test
    void closingInAnInterruptedThreadWaitsForTheWatchAndFinishesInGoodOrder() throws Exception {
        cluster.computeNode(1).openThread(0).close();
        lane().hold(true);
        Thread.sleep(400); // the watch checks five times a second: now it is in the middle of a check
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            cluster.computeNode(1).close();
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        closing.start();
        Thread.sleep(500);
        assertThat(closing.isAlive()).isTrue();
        lane().hold(false);
        closing.join();
        assertThat(interrupted).isTrue();
        cluster.computeNode(2).close();
        cluster.memoryNode(0).awaitFinished();
        assertThat(cluster.memoryNode(0).losses()).isEmpty();
    }
}
