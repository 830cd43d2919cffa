// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static dev.remus.structures.spec.QueueOperation.dequeue;
import static dev.remus.structures.spec.QueueOperation.enqueue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import org.junit.jupiter.api.Test;

class QueueHistoriesTest {
    private final Recorder<QueueOperation<String>, QueueResult<String>> recorder = new Recorder<>();

    private Verdict<QueueOperation<String>, QueueResult<String>> verdict() {
        return new LinearizabilityChecker<>(new QueueSpecification<String>()).check(recorder.history());
    }

    private void enqueues(int thread, String item) {
        recorder.record(thread, enqueue(item), QueueResult::enqueued);
    }

    private void dequeues(int thread, String item) {
        recorder.record(thread, dequeue(), () -> QueueResult.of(item));
    }

    private void findsItEmpty(int thread) {
        recorder.record(thread, dequeue(), QueueResult::empty);
    }

    @Test
    void itemsLeaveInTheOrderInWhichTheyCame() {
        enqueues(0, "a");
        enqueues(1, "b");
        dequeues(0, "a");
        dequeues(0, "b");
        findsItEmpty(1);
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void anItemDoesNotOvertakeOneThatWasThereBefore() {
        enqueues(0, "a");
        enqueues(1, "b");
        dequeues(0, "b");
        dequeues(0, "a");
        assertThat(verdict().isRejected()).isTrue();
        assertThat(verdict().stuck().id()).isEqualTo(2);
    }

    /** Herlihy and Shavit, chapter 3, the first linearizable history of a queue. */
    @Test
    void concurrentEnqueuesMayTakeEffectInEitherOrder() {
        int a = recorder.call(0, enqueue("a"));
        int b = recorder.call(1, enqueue("b"));
        recorder.returned(a, QueueResult.enqueued());
        recorder.returned(b, QueueResult.enqueued());
        int first = recorder.call(0, dequeue());
        int second = recorder.call(1, dequeue());
        recorder.returned(second, QueueResult.of("a"));
        recorder.returned(first, QueueResult.of("b"));
        assertThat(verdict().isAccepted()).isTrue();
    }

    /** Also from there: sequentially consistent, since each thread by itself sees a queue, but not linearizable. */
    @Test
    void theOrderOfTimeHoldsBetweenThreadsToo() {
        enqueues(0, "x");
        enqueues(1, "y");
        dequeues(1, "y");
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void anItemComesOutOnce() {
        enqueues(0, "a");
        int one = recorder.call(0, dequeue());
        int other = recorder.call(1, dequeue());
        recorder.returned(one, QueueResult.of("a"));
        recorder.returned(other, QueueResult.of("a"));
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void anItemThatWasNeverEnqueuedDoesNotComeOut() {
        enqueues(0, "a");
        dequeues(1, "b");
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void aDequeueDoesNotFindTheQueueEmptyWhileAnItemIsThere() {
        enqueues(0, "a");
        findsItEmpty(1);
        dequeues(0, "a");
        assertThat(verdict().isRejected()).isTrue();
        assertThat(verdict().stuck().id()).isEqualTo(1);
    }

    /** Items come and go, but the queue is never empty. */
    @Test
    void aDequeueDoesNotFindTheQueueEmptyWhileThereIsAlwaysSomeItem() {
        enqueues(0, "a");
        int empty = recorder.call(1, dequeue());
        enqueues(0, "b");
        dequeues(0, "a");
        recorder.returned(empty, QueueResult.empty());
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void aDequeueMayFindTheQueueEmptyBetweenTwoItems() {
        enqueues(0, "a");
        int empty = recorder.call(1, dequeue());
        dequeues(0, "a");
        enqueues(0, "b");
        recorder.returned(empty, QueueResult.empty());
        assertThat(verdict().isAccepted()).isTrue();
    }

    @Test
    void aCrashedEnqueueMayHaveHappenedOrNot() {
        recorder.call(0, enqueue("a"));
        enqueues(1, "b");
        dequeues(1, "b");
        findsItEmpty(1);
        assertThat(verdict().isAccepted()).isTrue();
        dequeues(1, "a");
        assertThat(verdict().isAccepted()).isTrue();
        dequeues(1, "a");
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void aCrashedDequeueMayHaveTakenAnItemButNotTwo() {
        enqueues(0, "a");
        enqueues(0, "b");
        enqueues(0, "c");
        recorder.call(1, dequeue());
        dequeues(0, "b");
        assertThat(verdict().isAccepted()).isTrue();
        findsItEmpty(0);
        assertThat(verdict().isRejected()).isTrue();
    }

    @Test
    void anEnqueueReturnsFullOnlyWhenThereIsNoRoom() {
        LinearizabilityChecker<QueueOperation<String>, QueueResult<String>> ofTwo =
                new LinearizabilityChecker<>(new QueueSpecification<>(2));
        enqueues(0, "a");
        enqueues(0, "b");
        recorder.record(1, enqueue("c"), QueueResult::full);
        assertThat(ofTwo.check(recorder.history()).isAccepted()).isTrue();
        assertThat(verdict().isRejected()).isTrue();
        dequeues(0, "a");
        enqueues(1, "d");
        assertThat(ofTwo.check(recorder.history()).isAccepted()).isTrue();
        enqueues(1, "e");
        assertThat(ofTwo.check(recorder.history()).isRejected()).isTrue();
    }
}
