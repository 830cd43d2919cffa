// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lanes that fail, are held or lose their Memory Node. One thread uses lane 0; the watch of its node uses lane 3. */
@Timeout(120)
class LaneFailureTest {
    private final LaneFabric fabric = LaneFabric.weak(16);
    private TestCluster cluster;
    private ComputeThread ct;
    private long near;
    private long far;

    @BeforeEach
    void start() throws Exception {
        ClusterConfig config = TestCluster.config(2, 1, 3)
                .lanes(4)
                .lanePolicy(LanePolicy.ONE_TO_ONE)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .build();
        cluster = TestCluster.of(config, fabric).start();
        ct = cluster.computeNode(2).openThread(0);
        near = ct.allocate(64);
        far = ct.allocate(64);
        assertThat(RdmaPtr.node(near)).isZero();
        assertThat(RdmaPtr.node(far)).isEqualTo(1);
        for (long word : new long[] {near, near + 8, near + 16, far}) {
            ct.write(word, 1);
        }
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        for (int lane = 0; lane < 4; lane++) {
            fabric.lane(2, 0, lane).hold(false);
            fabric.lane(2, 1, lane).hold(false);
        }
        cluster.close();
    }

    private WeakLane lane(int memoryNode) {
        return fabric.lane(2, memoryNode, 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = CompletionStatus.class,
            names = {"REMOTE_ACCESS_ERROR", "FLUSHED", "PEER_LOST", "RETRY_EXCEEDED"})
    void everyOperationReportsItsFailureAndTheLaneIsRepaired(CompletionStatus status) {
        ThrowingCallable[] operations = {
            () -> ct.write(near, 2),
            () -> ct.compareAndSwap(near, 1, 3),
            () -> ct.fetchAndAdd(near, 1),
            () -> ct.write(near, ByteBuffer.allocate(16)),
            () -> {
                ct.post(near, 4);
                ct.place();
            }
        };
        for (ThrowingCallable operation : operations) {
            lane(0).failNext(status);
            var thrown = assertThatThrownBy(operation).isInstanceOf(FabricException.class);
            if (status == CompletionStatus.PEER_LOST) {
                thrown.isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isZero());
            } else {
                thrown.hasMessageContaining("to Memory Node 0").hasMessageContaining("unknown");
            }
            assertThat(ct.read(near)).isEqualTo(1);
            ct.place(); // nothing is left to report
        }
        ct.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = CompletionStatus.class,
            names = {"FLUSHED", "RETRY_EXCEEDED"})
    void aReadWhoseLaneBreaksIsRepeated(CompletionStatus status) {
        lane(0).failNext(status);
        assertThat(ct.read(near)).isEqualTo(1);
        lane(0).failNext(status);
        ct.read(near, ByteBuffer.allocate(16));
    }

    @ParameterizedTest
    @EnumSource(
            value = CompletionStatus.class,
            names = {"REMOTE_ACCESS_ERROR", "PEER_LOST"})
    void aReadThatCannotSucceedIsNotRepeated(CompletionStatus status) {
        lane(0).failNext(status);
        assertThatThrownBy(() -> ct.read(near)).isInstanceOf(FabricException.class);
        assertThat(ct.read(near)).isEqualTo(1);
    }

    @Test
    void anOperationThatTheMemoryNodeRefusesHasNoUnknownOutcome() {
        lane(0).failNext(CompletionStatus.REMOTE_ACCESS_ERROR);
        assertThatThrownBy(() -> ct.compareAndSwap(near, 1, 3))
                .isInstanceOf(FabricException.class)
                .isNotInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("refused");
        lane(0).failNext(CompletionStatus.RETRY_EXCEEDED);
        assertThatThrownBy(() -> ct.compareAndSwap(near, 1, 3)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void theFailedLaneAndItsMemoryNodeAreNamedAmongSeveralThatWerePlaced() {
        ct.post(near, 2);
        ct.post(far, 2);
        lane(1).failNext(CompletionStatus.PEER_LOST);
        assertThatThrownBy(ct::place)
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(1));
        assertThat(ct.read(near)).isEqualTo(2);
        assertThat(ct.read(far)).isEqualTo(1);
        ct.place();
    }

    private void giveUp(ThrowingCallable operation) {
        lane(0).hold(true);
        Thread.currentThread().interrupt();
        assertThatThrownBy(operation).isInstanceOf(FabricException.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        lane(0).hold(false);
    }

    @Test
    void aFutureWhoseWaitWasInterruptedCanBeAwaitedAgainEvenIfItHasEnded() {
        RemoteFuture written = ct.async().write(near, 5);
        while (!written.isDone()) {
            Thread.onSpinWait();
        }
        giveUp(written::await); // it has ended, and is not placed
        assertThat(written.await()).isZero();
        assertThat(ct.read(near)).isEqualTo(5);
    }

    @Test
    void aLateResultOfAnAbandonedWaitIsNotTakenForALaterOne() {
        ct.write(near, 10);
        ct.write(near + 8, 11);
        ct.write(far, 12);
        giveUp(() -> ct.read(near));
        for (int i = 0; i < 50; i++) {
            assertThat(ct.read(far)).isEqualTo(12);
            assertThat(ct.read(near + 8)).isEqualTo(11);
            assertThat(ct.fetchAndAdd(near + 16, 1)).isEqualTo(1 + i);
        }
    }

    @Test
    void anAbandonedWriteStillWritesItsOwnValueOrNone() {
        giveUp(() -> ct.write(near, 10));
        lane(0).hold(true);
        ct.write(far, 20); // on another lane, while the first one has not been executed
        lane(0).hold(false);
        assertThat(ct.read(near)).isIn(1L, 10L);
        assertThat(ct.read(far)).isEqualTo(20);
    }

    @Test
    void anAbandonedLargeWriteStillWritesItsOwnBytesOrNone() throws InterruptedException {
        giveUp(() -> ct.write(near, ByteBuffer.wrap(new byte[] {1, 1, 1, 1, 1, 1, 1, 1})));
        lane(0).hold(true);
        Thread other = HeldLanes.whenThisThreadSleeps(() -> lane(0).hold(false));
        ct.write(far, ByteBuffer.wrap(new byte[] {2, 2, 2, 2, 2, 2, 2, 2}));
        other.join();
        assertThat(ct.read(near)).isIn(1L, 0x0101010101010101L);
        assertThat(ct.read(far)).isEqualTo(0x0202020202020202L);
    }

    @Test
    void postedWritesAreReportedOnceIfPlacingThemWasAbandoned() {
        ct.post(near, 2);
        giveUp(ct::place);
        ct.place();
        ct.post(far, 3);
        ct.place();
        assertThat(ct.read(far)).isEqualTo(3);
    }

    @Test
    void aWaitForALaneOfALostMemoryNodeThrowsAndTheOtherNodeGoesOn() {
        ct.post(far, 2);
        lane(1).hold(true);
        fabric.lose(1);
        assertThatThrownBy(() -> {
                    while (true) {
                        ct.read(far);
                    }
                })
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(1));
        assertThatThrownBy(ct::place).isInstanceOf(NodeLostException.class); // the WRITE: once
        ct.place();
        ct.write(near, 5);
        assertThat(ct.read(near)).isEqualTo(5);
        ct.free(near, 64);
        ct.close();
    }

    @Test
    void aWaitForRoomOnALaneOfALostMemoryNodeThrows() {
        lane(1).hold(true);
        Thread loser = new Thread(() -> fabric.lose(1));
        assertThatThrownBy(() -> {
                    for (int i = 0; ; i++) {
                        ct.post(far, i);
                        if (i == 14) {
                            loser.start();
                        }
                    }
                })
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(1));
        assertThat(ct.read(near)).isEqualTo(1);
    }
}
