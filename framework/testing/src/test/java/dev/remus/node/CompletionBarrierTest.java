package dev.remus.node;

import static dev.remus.node.CompletionGrade.LOCAL;
import static dev.remus.node.CompletionGrade.REMOTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.memory.RdmaPtr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The id up to which operations are complete, over two lanes to each of two Memory Nodes. The test holds and breaks
 * lanes.
 */
@Timeout(120)
class CompletionBarrierTest {
    private final LaneFabric fabric = LaneFabric.weak(32);
    private TestCluster cluster;
    private ComputeThread ct;
    private long near;
    private long far;

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
        for (int node = 0; node < 2; node++) {
            hold(node, 0, false);
            hold(node, 1, false);
        }
        cluster.close();
    }

    private void hold(int memoryNode, int lane, boolean hold) {
        fabric.lane(2, memoryNode, lane).hold(hold);
    }

    private CompletionBarrier barrier(int memoryNode) {
        return ct.async().barrier(memoryNode);
    }

    /** The lane of Memory Node 0 on which the thread posts next. */
    private int nextLane() {
        hold(0, 0, true);
        RemoteFuture probe = ct.async().read(near);
        for (int i = 0; i < 100 && !probe.isDone(); i++) {
            Thread.onSpinWait();
        }
        int used = probe.isDone() ? 1 : 0;
        hold(0, 0, false);
        probe.await();
        return 1 - used;
    }

    @Test
    void idsIncreaseForEachMemoryNodeSeparately() {
        assertThat(ct.async().read(near).detach()).isEqualTo(1);
        assertThat(ct.async().read(near).detach()).isEqualTo(2);
        assertThat(ct.async().read(far).detach()).isEqualTo(1);
        RemoteFuture third = ct.async().write(near, 1);
        assertThat(third.id()).isEqualTo(3);
        assertThat(third.memoryNode()).isZero();
        assertThat(third).hasToString("operation 3 to Memory Node 0");
        assertThat(barrier(0).lastPosted()).isEqualTo(3);
        assertThat(barrier(1).lastPosted()).isEqualTo(1);
        assertThat(barrier(0).memoryNode()).isZero();
    }

    @Test
    void theResultIsTheLargestIdUpToWhichAllAreCompleteOnAnyLanes() {
        int next = nextLane(); // has posted operation 1
        hold(0, next, true);
        for (int i = 0; i < 6; i++) {
            ct.async().read(near).detach(); // 2, 4, 6 on the lane that is held, 3, 5, 7 on the other one
        }
        for (int i = 0; i < 200; i++) {
            assertThat(barrier(0).completed(LOCAL)).isEqualTo(1);
            assertThat(barrier(0).completed(REMOTE)).isEqualTo(1);
        }
        hold(0, next, false);
        assertThat(barrier(0).await(4, LOCAL)).isBetween(4L, 7L);
        assertThat(barrier(0).await(7, LOCAL)).isEqualTo(7);
        assertThat(barrier(0).completed(REMOTE)).isEqualTo(7);
        assertThat(barrier(0).await(0, REMOTE)).isEqualTo(7);
    }

    @Test
    void aResultImpliesNothingAboutAnotherDestination() {
        hold(1, 0, true);
        hold(1, 1, true);
        ct.async().write(far, 1).detach();
        ct.async().write(far, 2).detach();
        long last = 0;
        for (int i = 0; i < 10; i++) {
            last = ct.async().write(near, i).detach();
        }
        assertThat(barrier(0).await(last, REMOTE)).isEqualTo(10);
        assertThat(barrier(1).completed(LOCAL)).isZero();
        assertThat(barrier(1).poll(2, LOCAL)).isZero();
        assertThat(barrier(1).await(0, LOCAL)).isZero(); // at once
        hold(1, 0, false);
        hold(1, 1, false);
        assertThat(barrier(1).await(2, REMOTE)).isEqualTo(2);
    }

    @Test
    void aWriteIsLocallyCompleteBeforeItIsInTheMemoryNodesMemory() {
        long id = ct.async().write(near, 5).detach();
        assertThat(barrier(0).await(id, LOCAL)).isEqualTo(1);
        assertThat(barrier(0).completed(REMOTE)).isZero();
        assertThat(barrier(0).await(id, REMOTE)).isEqualTo(1);
        assertThat(ct.read(near)).isEqualTo(5);
        ct.async().write(near, 6).detach();
        ct.place();
        assertThat(barrier(0).completed(REMOTE)).isEqualTo(2);
    }

    @Test
    void tenOperationsCostOneWakeUp() {
        for (CompletionGrade grade : CompletionGrade.values()) {
            long before = ct.metrics().wakeUps();
            long trips = ct.metrics().roundTrips();
            hold(0, 0, true);
            hold(0, 1, true);
            long last = 0;
            for (int i = 0; i < 10; i++) {
                last = ct.async().write(near + 8L * (i % 4), i).detach();
            }
            assertThat(barrier(0).poll(last, grade)).isLessThanOrEqualTo(last - 10);
            assertThat(ct.async().tryAwaitArmed(0)).isNull();
            Thread sleeper = Thread.currentThread();
            Thread releaser = new Thread(() -> {
                while (sleeper.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                hold(0, 0, false);
                hold(0, 1, false);
            });
            releaser.start();
            assertThat(ct.async().awaitArmed()).isSameAs(barrier(0));
            assertThat(ct.metrics().wakeUps() - before).isEqualTo(1);
            assertThat(ct.metrics().roundTrips() - trips).isEqualTo(1);
            assertThat(barrier(0).completed(grade)).isEqualTo(last);
            assertThatThrownBy(ct.async()::awaitArmed)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no id is armed"); // reported once
        }
    }

    @Test
    void severalDestinationsAreReportedOnceEach() {
        long a = ct.async().write(near, 1).detach();
        long b = ct.async().write(far, 1).detach();
        hold(0, 0, true);
        hold(0, 1, true);
        hold(1, 0, true);
        hold(1, 1, true);
        assertThat(barrier(0).poll(a, REMOTE)).isZero();
        assertThat(barrier(1).poll(b, REMOTE)).isZero();
        assertThat(ct.async().tryAwaitArmed(0)).isNull();
        hold(1, 0, false);
        hold(1, 1, false);
        assertThat(ct.async().awaitArmed()).isSameAs(barrier(1));
        hold(0, 0, false);
        hold(0, 1, false);
        assertThat(ct.async().awaitArmed()).isSameAs(barrier(0));
        assertThatThrownBy(() -> ct.async().tryAwaitArmed(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void armingAnotherIdReportsThatOne() {
        int next = nextLane();
        hold(0, next, true);
        ct.async().read(near).detach();
        long far = ct.async().read(near).detach();
        assertThat(barrier(0).poll(far, LOCAL)).isEqualTo(1);
        hold(0, next, false);
        assertThat(barrier(0).await(far, LOCAL)).isEqualTo(far);
        hold(0, next, true);
        ct.async().read(near).detach();
        assertThat(barrier(0).poll(far + 1, LOCAL)).isEqualTo(far);
        assertThat(ct.async().tryAwaitArmed(0)).isNull();
        hold(0, next, false);
        assertThat(ct.async().awaitArmed()).isSameAs(barrier(0));
        assertThat(barrier(0).completed(LOCAL)).isEqualTo(far + 1);
    }

    @Test
    void anIdThatWasNotPostedIsRefused() {
        assertThatThrownBy(() -> barrier(0).await(1, LOCAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("operation 1 to Memory Node 0")
                .hasMessageContaining("none");
        ct.async().read(near).await();
        assertThatThrownBy(() -> barrier(0).poll(2, LOCAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 1");
        assertThatThrownBy(() -> barrier(0).poll(-1, LOCAL)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> barrier(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no Memory Node 2, only 0 to 1");
    }

    @Test
    void aFailedOperationIsNamedOnceByItsIdAndLimitsTheResultUntilThen() {
        int next = nextLane();
        fabric.lane(2, 0, next).failNext(CompletionStatus.REMOTE_ACCESS_ERROR);
        ct.async().read(near).detach(); // 2 fails
        ct.async().read(near).detach();
        ct.async().read(near).detach(); // 4 is flushed
        while (barrier(0).completed(LOCAL) < 1) {
            Thread.onSpinWait();
        }
        assertThat(barrier(0).await(1, LOCAL)).isEqualTo(1);
        assertThatThrownBy(() -> barrier(0).await(4, LOCAL))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("operation 2 to Memory Node 0")
                .hasMessageContaining("lane " + next)
                .hasMessageContaining("REMOTE_ACCESS_ERROR");
        assertThatThrownBy(() -> barrier(0).await(4, LOCAL)).hasMessageContaining("operation 4 to Memory Node 0");
        assertThat(barrier(0).await(4, REMOTE)).isEqualTo(4);
        assertThat(ct.async().read(near).await()).isZero();
        assertThat(ct.async().read(near).await()).isZero(); // both lanes work again
    }

    @Test
    void aFutureReportsItsOwnFailureAndTheBarrierDoesNotRepeatIt() {
        int next = nextLane();
        fabric.lane(2, 0, next).failNext(CompletionStatus.REMOTE_ACCESS_ERROR);
        RemoteFuture failing = ct.async().write(near, 1);
        RemoteFuture other = ct.async().read(far);
        assertThatThrownBy(failing::await)
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("operation 2 to Memory Node 0");
        assertThat(other.await()).isZero();
        assertThat(barrier(0).await(2, REMOTE)).isEqualTo(2);
        ct.place();
        ct.write(near, 3);
        assertThat(ct.async().read(near).await()).isEqualTo(3);
        ct.close();
    }

    @Test
    void aWriteThatWasAcknowledgedBeforeItsLaneBrokeMayBeLostAndIsReported() {
        int next = nextLane();
        long id = ct.async().write(near, 1).detach();
        assertThat(barrier(0).await(id, LOCAL)).isEqualTo(id);
        fabric.lane(2, 0, next).failNext(CompletionStatus.RETRY_EXCEEDED);
        assertThatThrownBy(() -> barrier(0).await(id, REMOTE))
                .hasMessageContaining("operation " + id + " to Memory Node 0");
        assertThat(barrier(0).await(id, REMOTE)).isEqualTo(id);
        long second = ct.async().write(near, 1).detach();
        ct.async().read(near).await();
        fabric.lane(2, 0, 0).failNext(CompletionStatus.RETRY_EXCEEDED);
        fabric.lane(2, 0, 1).failNext(CompletionStatus.RETRY_EXCEEDED);
        assertThatThrownBy(ct::place).hasMessageContaining("operation " + second + " to Memory Node 0");
        ct.place();
    }

    @Test
    void aFailureEndsTheSleepOfAThreadThatArmedALaterId() {
        int next = nextLane();
        hold(0, 0, true);
        hold(0, 1, true);
        ct.async().read(near).detach();
        ct.async().read(near).detach();
        assertThat(barrier(0).poll(3, LOCAL)).isEqualTo(1);
        fabric.lane(2, 0, next).failNext(CompletionStatus.REMOTE_ACCESS_ERROR);
        hold(0, 0, false);
        hold(0, 1, false);
        assertThat(ct.async().awaitArmed()).isSameAs(barrier(0));
        assertThatThrownBy(() -> barrier(0).poll(3, LOCAL)).hasMessageContaining("operation 2 to Memory Node 0");
    }

    @Test
    void everyWaitEndsWhenTheMemoryNodeIsLostAndTheOtherOneGoesOn() {
        hold(1, 0, true);
        hold(1, 1, true);
        List<RemoteFuture> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            futures.add(ct.async().write(far, i));
        }
        long last = ct.async().read(far).detach();
        assertThat(barrier(1).poll(last, REMOTE)).isZero();
        fabric.lose(1);
        assertThatThrownBy(ct.async()::awaitArmed)
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(1));
        for (RemoteFuture future : futures) {
            assertThatThrownBy(future::await).isInstanceOf(NodeLostException.class);
        }
        assertThatThrownBy(() -> barrier(1).await(last, LOCAL))
                .isInstanceOf(NodeLostException.class)
                .hasMessageContaining("operation " + last);
        ct.place();
        for (int i = 0; i < 100; i++) { // also with futures whose results may still arrive
            assertThat(ct.async().read(near).await()).isZero();
        }
        hold(1, 0, false);
        hold(1, 1, false);
        assertThat(ct.async().read(near).await()).isZero();
        ct.close();
    }

    /** The node polls each Memory Node several times a second. Here it is lost while such a poll is in flight. */
    @Test
    void aNodeWhoseOwnPollIsNotAnsweredNoticesALossToo() throws Exception {
        hold(1, 0, true);
        hold(1, 1, true);
        Thread.sleep(500);
        RemoteFuture future = ct.async().read(far);
        fabric.lose(1);
        assertThatThrownBy(future::await).isInstanceOf(NodeLostException.class);
        hold(1, 0, false);
        hold(1, 1, false);
        ct.close();
    }

    @Test
    void anInterruptedWaitCanBeRepeated() {
        hold(0, 0, true);
        hold(0, 1, true);
        RemoteFuture future = ct.async().fetchAndAdd(near + 8, 1);
        RemoteFuture write = ct.async().write(near, 1);
        for (RemoteFuture waiting : List.of(future, write)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(waiting::await)
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
        barrier(0).poll(2, LOCAL);
        Thread.currentThread().interrupt();
        assertThatThrownBy(ct.async()::awaitArmed).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        hold(0, 0, false);
        hold(0, 1, false);
        write.await();
        future.await();
        assertThat(ct.read(near)).isEqualTo(1);
    }

    // ------------------------------------------------------------------------------------------------ any completion

    private void holdAll(boolean hold) {
        for (int node = 0; node < 2; node++) {
            hold(node, 0, hold);
            hold(node, 1, hold);
        }
    }

    private void assertNothingIsToBeReported() {
        assertThatThrownBy(() -> ct.async().tryAwaitAny(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no completion will come");
    }

    /** Runs an action as soon as the calling thread sleeps. */
    private static Thread whenThisThreadSleeps(Runnable action) {
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

    @Test
    void withoutAnArmedIdTheNextCompletionOfAnyOperationEndsTheSleepOnce() throws Exception {
        holdAll(true);
        RemoteFuture a = ct.async().read(near);
        RemoteFuture b = ct.async().read(far);
        assertThat(ct.async().tryAwaitAny(0)).isNull();
        assertThat(ct.async().tryAwaitAny(1_000_000)).isNull();
        Thread other = whenThisThreadSleeps(() -> {
            hold(1, 0, false);
            hold(1, 1, false);
        });
        assertThat(ct.async().awaitAny()).isSameAs(barrier(1));
        other.join();
        assertThat(ct.async().tryAwaitAny(0)).as("reported once").isNull();
        assertThat(b.isDone()).isTrue();
        assertThat(a.isDone()).isFalse();
        holdAll(false);
        assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
        assertNothingIsToBeReported();
        a.await();
        b.await();
        assertNothingIsToBeReported();
    }

    @Test
    void tenOperationsAreReportedAtMostTenTimesAndNoneIsMissed() {
        for (int round = 0; round < 20; round++) {
            long last = 0;
            for (int i = 0; i < 10; i++) {
                last = ct.async().write(near + 8L * (i % 4), i).detach();
            }
            int reports = 0;
            long completed = 0;
            while (completed < last) {
                assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
                completed = barrier(0).completed(LOCAL);
                reports++;
            }
            assertThat(reports).isLessThanOrEqualTo(10);
            barrier(0).await(last, REMOTE);
            assertNothingIsToBeReported(); // the framework's own READs, which place WRITEs, are not reported
        }
    }

    @Test
    void aCompletionThatTheThreadHasLearnedOfIsNotReportedAgain() {
        RemoteFuture looked = ct.async().read(near);
        while (!looked.isDone()) {
            Thread.onSpinWait();
        }
        assertNothingIsToBeReported();
        RemoteFuture waited = ct.async().read(far);
        while (!waited.tryAwait(1_000)) {
            Thread.onSpinWait();
        }
        assertNothingIsToBeReported();
        looked.await();
        waited.await();
        ct.async().write(far, 1).await();
        assertNothingIsToBeReported();
        long id = ct.async().read(near).detach();
        barrier(0).await(id, LOCAL);
        assertNothingIsToBeReported();
        ct.async().read(near).detach();
        ct.async().write(far, 1).detach();
        ct.async().awaitAll();
        assertNothingIsToBeReported();
        ct.async().read(far).detach();
        ct.place();
        assertNothingIsToBeReported();
    }

    @Test
    void aResultAboutAnotherOperationHidesNoCompletion() {
        holdAll(true);
        RemoteFuture first = ct.async().read(near);
        long last = ct.async().read(near).detach();
        assertThat(first.isDone()).isFalse();
        holdAll(false);
        while (barrier(0).tryAwait(last, LOCAL, 1_000) < last) {
            Thread.onSpinWait();
        }
        assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
        assertNothingIsToBeReported();
        first.await();
    }

    @Test
    void anArmedIdIsReportedWhateverElseIsReported() {
        holdAll(true);
        ct.async().read(near).detach();
        long last = ct.async().read(near).detach();
        assertThat(barrier(0).poll(last, LOCAL)).isZero();
        assertThat(ct.async().tryAwaitAny(0)).isNull();
        holdAll(false);
        while (barrier(0).completed(LOCAL) < last) {
            assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
        }
        assertThat(ct.async().awaitArmed()).isSameAs(barrier(0));
    }

    @Test
    void aFailureIsACompletionAndALossEndsTheSleep() {
        int next = nextLane();
        fabric.lane(2, 0, next).failNext(CompletionStatus.REMOTE_ACCESS_ERROR);
        RemoteFuture failing = ct.async().read(near);
        assertThat(ct.async().awaitAny()).isSameAs(barrier(0));
        assertThatThrownBy(failing::await).hasMessageContaining("REMOTE_ACCESS_ERROR");
        hold(1, 0, true);
        hold(1, 1, true);
        RemoteFuture lost = ct.async().read(far);
        Thread other = whenThisThreadSleeps(() -> fabric.lose(1));
        assertThatThrownBy(ct.async()::awaitAny)
                .isInstanceOfSatisfying(
                        NodeLostException.class, e -> assertThat(e.node()).isEqualTo(1));
        assertThat(ct.async().awaitAny()).isSameAs(barrier(1));
        assertThatThrownBy(lost::await).isInstanceOf(NodeLostException.class);
        assertNothingIsToBeReported();
        assertThat(other).isNotNull();
    }

    // ------------------------------------------------------------------------------------------------ with a limit

    @Test
    void everyWaitWithALimitEndsWithNotYetAndCanBeRepeated() {
        ct.place();
        long trips = ct.metrics().roundTrips();
        holdAll(true);
        RemoteFuture add = ct.async().fetchAndAdd(near, 5);
        RemoteFuture write = ct.async().write(far, 7);
        assertThat(barrier(0).poll(add.id(), LOCAL)).isLessThan(add.id());
        for (long nanos : new long[] {Long.MIN_VALUE, 0, 1, 50_000, 1_000_000}) {
            assertThat(add.tryAwait(nanos)).isFalse();
            assertThat(write.tryAwait(nanos)).isFalse();
            assertThat(barrier(0).tryAwait(add.id(), LOCAL, nanos)).isLessThan(add.id());
            assertThat(barrier(1).tryAwait(write.id(), REMOTE, nanos)).isLessThan(write.id());
            assertThat(ct.async().tryAwaitAll(nanos)).isFalse();
            assertThat(ct.async().tryAwaitArmed(nanos)).isNull();
            assertThat(ct.async().tryAwaitAny(nanos)).isNull();
        }
        assertThat(ct.metrics().roundTrips() - trips)
                .as("none of them has ended")
                .isZero();
        holdAll(false);
        assertThat(add.tryAwait(Long.MAX_VALUE)).isTrue();
        assertThat(write.tryAwait(Long.MAX_VALUE)).isTrue();
        assertThat(ct.async().tryAwaitArmed(Long.MAX_VALUE)).isSameAs(barrier(0));
        assertThat(barrier(0).tryAwait(add.id(), LOCAL, 0)).isEqualTo(add.id());
        assertThat(barrier(1).tryAwait(write.id(), REMOTE, 0)).isEqualTo(write.id());
        assertThat(ct.async().tryAwaitAll(Long.MAX_VALUE)).isTrue();
        assertThat(add.tryAwait(0)).isTrue();
        assertThat(write.tryAwait(0)).isTrue();
        assertThat(add.await()).isZero();
        assertThat(write.await()).isZero();
        assertThat(ct.metrics().roundTrips() - trips).isEqualTo(2); // the second places
        assertThat(ct.read(near)).isEqualTo(5);
        assertThat(ct.read(far)).isEqualTo(7);
    }

    @Test
    void aWaitWithALimitEndsEvenIfTheLaneHasNoRoomForTheReadThatPlacesTheWrite() {
        holdAll(true);
        RemoteFuture write = ct.async().write(near, 1);
        fillLanes(true);
        assertThat(write.tryAwait(1_000_000)).isFalse();
        assertThat(barrier(0).tryAwait(write.id(), REMOTE, 1_000_000)).isZero();
        assertThat(ct.async().tryAwaitAll(1_000_000)).isFalse();
        assertThat(barrier(0).poll(write.id(), REMOTE)).isZero();
        assertThat(ct.async().tryAwaitArmed(1_000_000)).isNull();
        fillLanes(false);
        holdAll(false);
        assertThat(ct.async().awaitArmed()).isSameAs(barrier(0));
        assertThat(barrier(0).completed(REMOTE)).isEqualTo(write.id());
        assertThat(write.tryAwait(0)).isTrue();
    }

    private void fillLanes(boolean isFull) {
        fabric.lane(2, 0, 0).fill(isFull);
        fabric.lane(2, 0, 1).fill(isFull);
    }

    @Test
    void aFailureAndALossEndAWaitWithALimit() {
        int next = nextLane();
        fabric.lane(2, 0, next).failNext(CompletionStatus.REMOTE_ACCESS_ERROR);
        RemoteFuture failing = ct.async().read(near);
        assertThat(failing.tryAwait(Long.MAX_VALUE)).isTrue();
        assertThatThrownBy(() -> barrier(0).tryAwait(2, LOCAL, Long.MAX_VALUE)).hasMessageContaining("operation 2 to");
        assertThatThrownBy(failing::await).hasMessageContaining("operation 2 to");
        hold(1, 0, true);
        hold(1, 1, true);
        RemoteFuture lost = ct.async().write(far, 1);
        fabric.lose(1);
        assertThatThrownBy(() -> lost.tryAwait(Long.MAX_VALUE)).isInstanceOf(NodeLostException.class);
        assertThatThrownBy(lost::await)
                .isInstanceOf(IllegalStateException.class)
                .isNotInstanceOf(FabricException.class);
        ct.async().tryAwaitAll(Long.MAX_VALUE);
    }
}
