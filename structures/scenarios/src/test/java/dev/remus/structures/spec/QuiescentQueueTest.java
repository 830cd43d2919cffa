// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.Checker;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.QuiescentConsistencyChecker;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import org.junit.jupiter.api.Test;

/** Quiescent consistency, in which only enqueues count as activity, differs from linearizability in these histories. */
class QuiescentQueueTest {
    private final Recorder<QueueOperation<String>, QueueResult<String>> recorder = new Recorder<>();
    private final QueueSpecification<String> queue = new QueueSpecification<>();
    private final Checker<QueueOperation<String>, QueueResult<String>> quiescent =
            new QuiescentConsistencyChecker<>(queue, QueueOperation::isEnqueue);

    private boolean isQuiescentlyConsistent() {
        return quiescent.check(recorder.history()).isAccepted();
    }

    private boolean isLinearizable() {
        return new LinearizabilityChecker<>(queue).check(recorder.history()).isAccepted();
    }

    private void enqueue(int thread, String item) {
        recorder.record(thread, QueueOperation.enqueue(item), QueueResult::enqueued);
    }

    private void dequeue(String item) {
        recorder.record(9, QueueOperation.dequeue(), () -> QueueResult.of(item));
    }

    @Test
    void whileAnEnqueueIsInFlightEvenOneProducersItemsMayBeReordered() {
        int waiting = recorder.call(0, QueueOperation.enqueue("x"));
        enqueue(1, "a");
        enqueue(1, "b");
        recorder.returned(waiting, QueueResult.enqueued());
        dequeue("b");
        dequeue("x");
        dequeue("a");
        assertThat(isLinearizable()).isFalse();
        assertThat(isQuiescentlyConsistent()).isTrue();
    }

    @Test
    void orderHoldsAcrossAMomentWithNoEnqueueInFlight() {
        enqueue(1, "a");
        enqueue(1, "b");
        dequeue("b");
        assertThat(isQuiescentlyConsistent()).isFalse();
        assertThat(quiescent.check(recorder.history()))
                .hasToString(
                        "not quiescently consistent: no order of the operations explains that dequeue() by thread 9"
                                + " returned b; all that returned before it can be explained");
    }

    @Test
    void orderHoldsAcrossTheMomentBetweenTwoBusyTimes() {
        int one = recorder.call(0, QueueOperation.enqueue("a"));
        int two = recorder.call(1, QueueOperation.enqueue("b"));
        recorder.returned(one, QueueResult.enqueued());
        recorder.returned(two, QueueResult.enqueued());
        int three = recorder.call(0, QueueOperation.enqueue("c"));
        int four = recorder.call(1, QueueOperation.enqueue("d"));
        recorder.returned(four, QueueResult.enqueued());
        recorder.returned(three, QueueResult.enqueued());
        dequeue("b");
        assertThat(isQuiescentlyConsistent()).isTrue();
        dequeue("c");
        assertThat(isQuiescentlyConsistent()).isFalse();
    }

    @Test
    void aDequeueInFlightDoesNotEndQuiescenceUnlessItCounts() {
        int waiting = recorder.call(8, QueueOperation.dequeue());
        enqueue(0, "a");
        enqueue(0, "b");
        recorder.returned(waiting, QueueResult.of("b"));
        dequeue("a");
        assertThat(isQuiescentlyConsistent()).isFalse();
        assertThat(new QuiescentConsistencyChecker<>(queue, anyOperation -> true)
                        .check(recorder.history())
                        .isAccepted())
                .isTrue();
    }

    @Test
    void noItemIsLostOrDuplicatedEvenWhileTheQueueIsBusy() {
        int waiting = recorder.call(0, QueueOperation.enqueue("x"));
        enqueue(1, "a");
        dequeue("a");
        assertThat(isQuiescentlyConsistent()).isTrue();
        dequeue("a");
        assertThat(isQuiescentlyConsistent()).isFalse();
        recorder.returned(waiting, QueueResult.enqueued());
        Verdict<QueueOperation<String>, QueueResult<String>> verdict = quiescent.check(recorder.history());
        assertThat(verdict.isRejected()).isTrue();
        assertThat(recorder.history().invocations()).contains(verdict.stuck());
    }

    @Test
    void afterAnEnqueueThatNeverReturnsThereIsNoQuiescence() {
        recorder.call(0, QueueOperation.enqueue("x"));
        enqueue(1, "a");
        enqueue(1, "b");
        dequeue("b");
        assertThat(isQuiescentlyConsistent()).isTrue();
    }
}
