// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.UnsettledException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A Memory Node is unreachable for a while: its lanes break and cannot be connected. One thread uses lane 0; the watch
 * of its node uses lane 1.
 */
@Timeout(120)
class LinkDownTest {
    private static final long A_WHILE_MILLIS = 400;

    private final LaneFabric fabric = LaneFabric.weak(16);
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private TestCluster cluster;
    private ComputeThread ct;
    private long near;
    private long far;

    @BeforeEach
    void start() throws Exception {
        ClusterConfig config = TestCluster.config(2, 1, 1)
                .lanes(2)
                .lanePolicy(LanePolicy.ONE_TO_ONE)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(Duration.ofSeconds(1))
                .build();
        cluster = TestCluster.of(config, fabric).start();
        ct = inThread(() -> cluster.computeNode(2).openThread(0)).get();
        near = inThread(() -> ct.allocate(64)).get();
        far = inThread(() -> ct.allocate(64)).get();
        assertThat(RdmaPtr.node(near)).isZero();
        assertThat(RdmaPtr.node(far)).isEqualTo(1);
        inThread(() -> write(near, 1)).get();
        inThread(() -> write(far, 1)).get();
    }

    @AfterEach
    void close() {
        fabric.takeDown(0, false);
        lane().refuseConnections(false);
        executor.shutdownNow();
        cluster.close();
    }

    private <T> Future<T> inThread(Callable<T> action) {
        return executor.submit(action);
    }

    private boolean write(long word, long value) {
        ct.write(word, value);
        return true;
    }

    private WeakLane lane() {
        return fabric.lane(2, 0, 0);
    }

    /** Starts an operation that meets the end of the link. */
    private <T> Future<T> interrupted(Callable<T> operation) {
        fabric.takeDown(0, true);
        lane().refuseConnections(true);
        return inThread(() -> {
            lane().failNext(CompletionStatus.RETRY_EXCEEDED);
            return operation.call();
        });
    }

    private void restore() {
        lane().refuseConnections(false);
        fabric.takeDown(0, false);
    }

    private static void assertStillWaiting(Future<?> operation) throws InterruptedException {
        Thread.sleep(A_WHILE_MILLIS);
        assertThat(operation.isDone()).isFalse();
    }

    @Test
    void aReadWaitsUntilTheLinkIsBackAndIsRepeated() throws Exception {
        Future<Long> read = interrupted(() -> ct.read(near));
        assertStillWaiting(read);
        restore();
        assertThat(read.get()).isEqualTo(1);
    }

    @Test
    void aWriteWaitsUntilTheLinkIsBackAndItsOutcomeIsThenUnknown() throws Exception {
        Future<Boolean> write = interrupted(() -> write(near, 2));
        assertStillWaiting(write);
        restore();
        assertThatThrownBy(write::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(inThread(() -> ct.read(near)).get()).isEqualTo(1);
    }

    @Test
    void anOperationThatBeginsWhileTheLinkIsDownIsExecutedOnceWhenItIsBack() throws Exception {
        Future<Long> read = interrupted(() -> ct.read(near));
        Future<Long> addition = inThread(() -> ct.fetchAndAdd(near, 5));
        assertStillWaiting(addition);
        restore();
        read.get();
        assertThat(addition.get()).isEqualTo(1);
        assertThat(inThread(() -> ct.read(near)).get()).isEqualTo(6);
    }

    @Test
    void aLockWhoseReleaseMeetsTheEndOfTheLinkIsFreeWhenItIsBack() throws Exception {
        Future<Boolean> released = interrupted(() -> {
            ct.lockWords().postRelease(near, 1);
            ct.read(near);
            return true;
        });
        assertStillWaiting(released);
        restore();
        released.get();
        assertThat(inThread(() -> ct.read(near)).get()).isZero();
    }

    @Test
    void aLaneIsNotDialledWhileItsMemoryNodeIsUnreachable() throws Exception {
        Future<Long> read = interrupted(() -> ct.read(near));
        assertStillWaiting(read);
        assertThat(lane().attempts()).isLessThanOrEqualTo(1);
        restore();
        read.get();
    }

    @Test
    void anotherMemoryNodeIsWatchedAndUsedMeanwhile() throws Exception {
        fabric.takeDown(0, true);
        fabric.lane(2, 0, 1).failAll(CompletionStatus.RETRY_EXCEEDED);
        long heartbeat = new SegmentLayout(ct.config()).heartbeat(1, 2);
        long before = inThread(() -> ct.parts.checked.readHeader(heartbeat)).get();
        long now = before;
        while (now < before + 2) {
            now = inThread(() -> ct.parts.checked.readHeader(heartbeat)).get();
        }
        assertThat(inThread(() -> ct.read(far)).get()).isEqualTo(1);
        fabric.lane(2, 0, 1).failAll(CompletionStatus.SUCCESS);
    }

    @Test
    void anOperationThatWaitsEndsWithTheReasonWhenTheMemoryNodeIsLost() throws Exception {
        Future<Long> read = interrupted(() -> ct.read(near));
        assertStillWaiting(read);
        fabric.lose(0);
        assertThatThrownBy(read::get).cause().isInstanceOfSatisfying(NodeLostException.class, e -> {
            assertThat(e.node()).isZero();
            assertThat(e.kind()).isEqualTo(LossKind.UNREACHABLE);
            assertThat(e).hasMessageContaining("Memory Node 0 is lost: it was unreachable for 1 s");
        });
    }

    @Test
    void aLaneThatCannotBeConnectedToAReachableNodeIsWaitedForNoLongerThanTheLossTimeout() throws Exception {
        lane().refuseConnections(true);
        long begin = System.nanoTime();
        Future<Long> read = inThread(() -> {
            lane().failNext(CompletionStatus.RETRY_EXCEEDED);
            return ct.read(near);
        });
        assertThatThrownBy(read::get)
                .cause()
                .isInstanceOf(FabricException.class)
                .isNotInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("cannot be reconnected now");
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void placeReturnsOnlyWhenTheLaneOfAnUnsettledWriteIsConnectedAgain() throws Exception {
        lane().refuseConnections(true);
        Future<Boolean> write = inThread(() -> {
            lane().failNext(CompletionStatus.RETRY_EXCEEDED);
            return write(near, 2);
        });
        assertThatThrownBy(write::get).hasCauseInstanceOf(UnsettledException.class);
        assertThatThrownBy(inThread(this::place)::get).hasCauseInstanceOf(UnsettledException.class);
        lane().refuseConnections(false);
        assertThat(inThread(this::place).get()).isTrue();
        assertThat(lane().isBroken()).isFalse();
    }

    @Test
    void theNextOperationConnectsTheLaneOfAnUnsettledSwapOfALockAgain() throws Exception {
        LockWords locks = ct.lockWords();
        lane().refuseConnections(true);
        Future<Long> swap = inThread(() -> {
            lane().failNext(CompletionStatus.RETRY_EXCEEDED);
            return locks.tryAcquire(near, locks.newMark());
        });
        assertThatThrownBy(swap::get).hasCauseInstanceOf(UnsettledException.class);
        lane().refuseConnections(false);
        inThread(() -> ct.read(far)).get();
        assertThat(lane().isBroken()).isFalse();
    }

    private boolean place() {
        ct.place();
        return true;
    }
}
