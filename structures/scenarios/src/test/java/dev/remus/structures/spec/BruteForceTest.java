// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.check.DeterministicSpecification;
import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.QuiescentConsistencyChecker;
import dev.remus.check.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checkers agree with a search that tries every order. */
class BruteForceTest {
    private static final int SEEDS = 5_000;

    private static History<QueueOperation<Integer>, QueueResult<Integer>> queueHistory(int seed) {
        return SimulatedHistory.ofQueue(1 + seed % 3)
                .withWrongResults(seed % 2 * 0.2)
                .withCrashes(seed % 5 * 0.05)
                .generate(seed, 2 + seed % 3, 3 + seed % 4);
    }

    @Test
    void theyAgreeOnSmallHistoriesOfSets() {
        LinearizabilityChecker<SetOperation<Integer>, Boolean> byKey =
                new LinearizabilityChecker<>(new SetSpecification<>());
        LinearizabilityChecker<SetOperation<Integer>, Boolean> whole = new LinearizabilityChecker<>(new WholeSet<>());
        int rejected = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            History<SetOperation<Integer>, Boolean> history = SimulatedHistory.ofSet(random -> random.nextInt(2))
                    .withWrongResults(seed % 2 * 0.3)
                    .withCrashes(seed % 5 * 0.05)
                    .generate(seed, 2 + seed % 3, 3 + seed % 4);
            boolean expected = BruteForce.isLinearizable(history, new WholeSet<>());
            assertThat(byKey.check(history).isAccepted())
                    .as("seed %d: %s", seed, history)
                    .isEqualTo(expected);
            assertThat(whole.check(history).isAccepted())
                    .as("seed %d: %s", seed, history)
                    .isEqualTo(expected);
            rejected += expected ? 0 : 1;
        }
        assertThat(rejected).isBetween(SEEDS / 20, SEEDS / 2);
    }

    @Test
    void theyAgreeOnSmallHistoriesOfQueues() {
        int rejected = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            QueueSpecification<Integer> specification = new QueueSpecification<>(1 + seed % 3);
            var history = queueHistory(seed);
            boolean expected = BruteForce.isLinearizable(history, specification);
            var verdict = new LinearizabilityChecker<>(specification).check(history);
            assertThat(verdict.isAccepted()).as("seed %d: %s", seed, history).isEqualTo(expected);
            assertThatTheVerdictHolds(verdict, specification);
            rejected += expected ? 0 : 1;
        }
        assertThat(rejected).isBetween(SEEDS / 20, SEEDS / 2);
    }

    /** A write of the present value changes nothing now, but may change a later result. */
    @Test
    void theyAgreeOnSmallHistoriesOfRegisters() {
        DeterministicSpecification<Integer, Integer, Integer> register = new DeterministicSpecification<>() {
            @Override
            public Integer initial() {
                return 0;
            }

            @Override
            public Step<Integer, Integer> step(Integer value, Integer written) {
                return written < 0 ? new Step<>(value, value) : new Step<>(written, -1);
            }
        };
        int rejected = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            History<Integer, Integer> history = new SimulatedHistory<>(
                            register, random -> random.nextInt(5) - 2, (random, operation) -> random.nextInt(4) - 1)
                    .withWrongResults(seed % 2 * 0.2)
                    .withCrashes(seed % 5 * 0.05)
                    .generate(seed, 2 + seed % 3, 3 + seed % 4);
            boolean expected = BruteForce.isLinearizable(history, register);
            assertThat(new LinearizabilityChecker<>(register).check(history).isAccepted())
                    .as("seed %d: %s", seed, history)
                    .isEqualTo(expected);
            rejected += expected ? 0 : 1;
        }
        assertThat(rejected).isBetween(SEEDS / 20, SEEDS / 2);
    }

    @Test
    void theyAgreeOnQuiescentConsistency() {
        int weaker = 0;
        int rejected = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            QueueSpecification<Integer> specification = new QueueSpecification<>(1 + seed % 3);
            var history = queueHistory(seed);
            boolean expected = BruteForce.isQuiescentlyConsistent(history, specification, QueueOperation::isEnqueue);
            boolean actual = new QuiescentConsistencyChecker<>(specification, QueueOperation::isEnqueue)
                    .check(history)
                    .isAccepted();
            assertThat(actual).as("seed %d: %s", seed, history).isEqualTo(expected);
            boolean linearizable =
                    new LinearizabilityChecker<>(specification).check(history).isAccepted();
            assertThat(actual || !linearizable)
                    .as("linearizable histories are quiescently consistent: %s", history)
                    .isTrue();
            rejected += expected ? 0 : 1;
            weaker += expected && !linearizable ? 1 : 0;
        }
        assertThat(rejected).isGreaterThan(SEEDS / 20);
        assertThat(weaker).isGreaterThan(SEEDS / 500);
    }

    /** Checks that the specification and time allow the order, and that it leads up to the stuck operation. */
    private static void assertThatTheVerdictHolds(
            Verdict<QueueOperation<Integer>, QueueResult<Integer>> verdict, QueueSpecification<Integer> specification) {
        long end = verdict.isAccepted() ? Invocation.PENDING : verdict.stuck().returned();
        List<QueueState<Integer>> states = List.of(specification.initial());
        List<Invocation<QueueOperation<Integer>, QueueResult<Integer>>> before = new ArrayList<>();
        for (var next : verdict.order()) {
            List<QueueState<Integer>> outcomes = new ArrayList<>();
            for (QueueState<Integer> state : states) {
                outcomes.addAll(
                        next.returned() >= end
                                ? specification.afterPending(state, next.operation())
                                : specification.after(state, next.operation(), next.result()));
            }
            states = outcomes;
            assertThat(before).noneMatch(next::isBefore);
            before.add(next);
        }
        assertThat(states).isNotEmpty();
        assertThat(verdict.history().invocations())
                .filteredOn(i -> i.returned() < end)
                .isSubsetOf(verdict.order());
        if (verdict.isRejected()) {
            assertThat(verdict.order()).allMatch(i -> i.called() < end);
            assertThat(BruteForce.isLinearizable(beginning(verdict.history(), end), specification))
                    .as("what returned before %s in %s", verdict.stuck(), verdict.history())
                    .isTrue();
            assertThat(BruteForce.isLinearizable(beginning(verdict.history(), end + 1), specification))
                    .as("what returned up to %s in %s", verdict.stuck(), verdict.history())
                    .isFalse();
        }
    }

    /** The part of a history before a moment. */
    private static <O, R> History<O, R> beginning(History<O, R> history, long end) {
        return History.of(history.invocations().stream()
                .filter(i -> i.called() < end)
                .map(i -> i.returned() < end
                        ? i
                        : new Invocation<>(i.id(), i.thread(), i.operation(), (R) null, i.called(), Invocation.PENDING))
                .toList());
    }
}
