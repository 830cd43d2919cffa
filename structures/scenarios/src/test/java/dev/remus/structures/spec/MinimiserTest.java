// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static dev.remus.structures.spec.QueueOperation.dequeue;
import static dev.remus.structures.spec.QueueOperation.enqueue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.check.Checker;
import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Minimiser;
import dev.remus.check.QuiescentConsistencyChecker;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
class MinimiserTest {
    private final Checker<SetOperation<Integer>, Boolean> setChecker =
            new LinearizabilityChecker<>(new SetSpecification<>());
    private final Checker<QueueOperation<Integer>, QueueResult<Integer>> queueChecker =
            new LinearizabilityChecker<>(new QueueSpecification<>());

    private final Recorder<SetOperation<Integer>, Boolean> set = new Recorder<>();
    private final Recorder<QueueOperation<Integer>, QueueResult<Integer>> queue = new Recorder<>();

    @Test
    void aLostInsertShrinksToItselfAndTheOperationThatMissesIt() {
        for (int round = 0; round < 5; round++) {
            set.record(0, SetOperation.insert(3), () -> true);
            set.record(1, SetOperation.insert(4), () -> true);
            set.record(2, SetOperation.contains(3), () -> true);
            set.record(1, SetOperation.remove(3), () -> true);
            set.record(2, SetOperation.remove(4), () -> true);
        }
        set.record(2, SetOperation.insert(3), () -> true);
        set.record(0, SetOperation.insert(3), () -> false);
        int missing = set.call(1, SetOperation.contains(3));
        set.returned(missing, false);
        set.record(1, SetOperation.remove(3), () -> true);
        Verdict<SetOperation<Integer>, Boolean> smallest = new Minimiser<>(setChecker).minimise(set.history());
        assertThat(smallest.stuck().id()).isEqualTo(missing);
        assertThat(smallest.history().invocations())
                .extracting(Invocation::operation)
                .containsExactly(SetOperation.insert(3), SetOperation.contains(3));
    }

    @Test
    void anOperationStaysIfTheHistoryWouldFailForAnotherReasonWithoutIt() {
        set.record(0, SetOperation.insert(3), () -> true);
        set.record(1, SetOperation.remove(3), () -> true);
        set.record(0, SetOperation.contains(3), () -> true);
        assertThat(new Minimiser<>(setChecker).minimise(set.history()).history())
                .isEqualTo(set.history());
    }

    @Test
    void aFailureThatDoesNotDependOnTimeShrinksToTheOperationsItNeeds() {
        set.record(0, SetOperation.insert(4), () -> true);
        set.record(0, SetOperation.insert(3), () -> true);
        set.record(0, SetOperation.contains(3), () -> true);
        set.record(1, SetOperation.insert(3), () -> true);
        set.record(1, SetOperation.remove(4), () -> true);
        assertThat(new Minimiser<>(setChecker).minimise(set.history()).history().invocations())
                .extracting(Invocation::operation)
                .containsExactly(SetOperation.insert(3), SetOperation.insert(3));
    }

    @Test
    void anItemThatOvertakesAnotherIsShownWithTheEnqueuesOfBoth() {
        for (int item = 1; item <= 20; item++) {
            int enqueued = item;
            queue.record(item % 3, enqueue(enqueued), QueueResult::enqueued);
            queue.record(3, dequeue(), () -> QueueResult.of(enqueued));
            queue.record(4, dequeue(), QueueResult::empty);
        }
        for (int item : new int[] {31, 32, 33, 34}) {
            queue.record(item % 3, enqueue(item), QueueResult::enqueued);
        }
        for (int item : new int[] {31, 33, 32, 34}) {
            queue.record(3, dequeue(), () -> QueueResult.of(item));
        }
        var smallest = new Minimiser<>(queueChecker, QueueSpecification::itemOf).minimise(queue.history());
        assertThat(smallest.history().invocations())
                .extracting(i -> i.operation() + " " + i.result())
                .containsExactly("enqueue(32) true", "enqueue(33) true", "dequeue() 33");
    }

    @Test
    void aFailureOfQuiescentConsistencyShrinksToo() {
        Checker<QueueOperation<Integer>, QueueResult<Integer>> checker =
                new QuiescentConsistencyChecker<>(new QueueSpecification<>(), QueueOperation::isEnqueue);
        for (int item = 1; item <= 10; item++) {
            queue.record(item % 2, enqueue(item), QueueResult::enqueued);
        }
        for (int item : new int[] {1, 2, 4, 3}) {
            queue.record(2, dequeue(), () -> QueueResult.of(item));
        }
        var smallest = new Minimiser<>(checker, QueueSpecification::itemOf).minimise(queue.history());
        assertThat(smallest.history().invocations())
                .extracting(Invocation::operation)
                .containsExactly(enqueue(3), enqueue(4), dequeue());
    }

    @Test
    void onlyARejectedHistoryCanBeMinimised() {
        set.record(0, SetOperation.insert(3), () -> true);
        assertThatThrownBy(() -> new Minimiser<>(setChecker).minimise(set.history()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only what is rejected can be minimised, and this is linearizable: 1 operation");
    }

    @Test
    void noOperationCanBeRemovedFromTheResultWithoutLosingTheFailure() {
        int found = 0;
        for (int seed = 0; seed < 300; seed++) {
            History<SetOperation<Integer>, Boolean> history = SimulatedHistory.ofSet(random -> random.nextInt(3))
                    .withWrongResults(0.02)
                    .withCrashes(0.002)
                    .generate(seed, 4, 60);
            if (setChecker.check(history).isRejected()) {
                var smallest = new Minimiser<>(setChecker).minimise(history);
                assertThatItIsMinimal(setChecker, smallest, history);
                found++;
            }
            var queueHistory = SimulatedHistory.ofQueue(1000)
                    .withWrongResults(0.02)
                    .withCrashes(0.002)
                    .generate(seed, 4, 40);
            if (queueChecker.check(queueHistory).isRejected()) {
                assertThatItIsMinimal(
                        queueChecker,
                        new Minimiser<>(queueChecker, Invocation::id).minimise(queueHistory),
                        queueHistory);
                found++;
            }
        }
        assertThat(found).isGreaterThan(100);
    }

    private static <O, R> void assertThatItIsMinimal(
            Checker<O, R> checker, Verdict<O, R> smallest, History<O, R> original) {
        List<Invocation<O, R>> left = smallest.history().invocations();
        assertThat(smallest.isRejected()).isTrue();
        assertThat(original.invocations()).containsAll(left);
        boolean timeless = isRightWithoutTime(checker, left);
        boolean possible = isPossible(checker, smallest.stuck(), left);
        for (Invocation<O, R> one : left) {
            History<O, R> rest = smallest.history().only(i -> !i.equals(one));
            Verdict<O, R> without = checker.check(rest);
            assertThat(without.isRejected()
                            && without.stuck().equals(smallest.stuck())
                            && timeless == isRightWithoutTime(checker, rest.invocations())
                            && possible == isPossible(checker, smallest.stuck(), rest.invocations()))
                    .as("%s is needed in %s", one, smallest.history())
                    .isFalse();
        }
    }

    private static <O, R> boolean isPossible(
            Checker<O, R> checker, Invocation<O, R> stuck, List<Invocation<O, R>> invocations) {
        return checker.withBudget(20_000)
                .check(History.of(invocations.stream()
                        .map(i -> new Invocation<>(
                                i.id(), i.thread(), i.operation(), i.result(), 0, i.equals(stuck) ? 1 : Long.MAX_VALUE))
                        .toList()))
                .isAccepted();
    }

    private static <O, R> boolean isRightWithoutTime(Checker<O, R> checker, List<Invocation<O, R>> invocations) {
        return checker.check(History.of(invocations.stream()
                        .map(i -> new Invocation<>(
                                i.id(), i.thread(), i.operation(), i.result(), 0, Math.max(1000, i.returned())))
                        .toList()))
                .isAccepted();
    }
}
