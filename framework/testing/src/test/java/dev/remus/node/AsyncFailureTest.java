// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static dev.remus.node.CompletionGrade.LOCAL;
import static dev.remus.node.CompletionGrade.REMOTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failed operations and lost Memory Nodes, and the waits that report them. */
@Timeout(120)
class AsyncFailureTest extends HeldLanes {
    @Test
    void aFailedOperationIsNamedOnceByItsIdAndLimitsTheResultUntilThen() {
        int next = nextLane();
        fabric.lane(2, 0, next).failNext(CompletionStatus.REMOTE_ACCESS_ERROR);
        hold(0, 0, true); // else the node's watch may repair the lane before 4 is posted
        hold(0, 1, true);
        ct.async().read(near).detach(); // 2 fails
        ct.async().read(near).detach();
        ct.async().read(near).detach(); // 4 is flushed
        hold(0, 0, false);
        hold(0, 1, false);
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
}
