// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static dev.remus.node.CompletionGrade.LOCAL;
import static dev.remus.node.CompletionGrade.REMOTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.FabricException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The id up to which operations are complete. */
@Timeout(120)
class CompletionBarrierTest extends HeldLanes {
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
}
