// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Is a history <em>linearizable</em>: does every operation seem to happen at one moment between its call and its
 * return? Pending operations may happen at any moment after their call, or not at all.
 *
 * <p>The algorithm is the search of J. Wing and C. Gong, "Testing and Verifying Concurrent Objects", JPDC 17, 1993,
 * with the memory of configurations and the just-in-time order of G. Lowe, "Testing for linearizability", Concurrency
 * and Computation: Practice and Experience 29(4), 2017: an operation gets its place no sooner than some operation has
 * to return. Independent parts are checked one by one (see {@link Specification#partOf}), and a specification may look
 * ahead (see {@link Specification#knowing}).
 *
 * <p>The question is NP-complete (P. Gibbons and E. Korach, "Testing shared memories", 1997), but easy where few
 * operations are in flight at a time: then the steps grow with the length of the history. Where many are, the budget
 * ends the search.
 *
 * @param <O> operations
 * @param <R> results
 */
public final class LinearizabilityChecker<O, R> implements Checker<O, R> {
    private final Specification<?, O, R> specification;
    private final String property;
    private final long budget;

    /** With the default budget. */
    public LinearizabilityChecker(Specification<?, O, R> specification) {
        this(specification, DEFAULT_BUDGET, "linearizable");
    }

    LinearizabilityChecker(Specification<?, O, R> specification, long budget, String property) {
        if (budget < 1) {
            throw new IllegalArgumentException("a budget of " + budget + " steps: needs at least 1");
        }
        this.specification = specification;
        this.budget = budget;
        this.property = property;
    }

    @Override
    public String property() {
        return property;
    }

    @Override
    public LinearizabilityChecker<O, R> withBudget(long steps) {
        return new LinearizabilityChecker<>(specification, steps, property);
    }

    @Override
    public Verdict<O, R> check(History<O, R> history) {
        List<History<O, R>> parts = parts(history);
        Verdict<O, R> undecided = null;
        long steps = 0;
        for (History<O, R> part : parts) {
            Verdict<O, R> verdict = checkPart(part, Math.max(1, budget - steps));
            steps += verdict.steps();
            if (verdict.isRejected() || parts.size() == 1) {
                return withSteps(verdict, steps);
            }
            if (undecided == null && !verdict.isAccepted()) {
                undecided = verdict;
            }
        }
        if (undecided != null) {
            return withSteps(undecided, steps);
        }
        return new Verdict<>(Verdict.Outcome.ACCEPTED, property, history, List.of(), null, steps);
    }

    private Verdict<O, R> checkPart(History<O, R> part, long budget) {
        Verdict<O, R> verdict = search(part, specification.knowing(part), budget);
        return verdict.isRejected()
                ? Prefixes.firstWrongReturn(verdict, p -> search(p, specification.knowing(p), budget))
                : verdict;
    }

    private <S> Verdict<O, R> search(History<O, R> history, Specification<S, O, R> specification, long budget) {
        Search<S, O, R> search = new Search<>(history, specification, budget);
        Verdict.Outcome outcome = search.run();
        @Nullable Invocation<O, R> stuck = outcome == Verdict.Outcome.ACCEPTED ? null : search.stuck();
        return new Verdict<>(outcome, property, history, search.bestOrder(), stuck, search.steps());
    }

    private static <O, R> Verdict<O, R> withSteps(Verdict<O, R> v, long steps) {
        return new Verdict<>(v.outcome(), v.property(), v.history(), v.order(), v.stuck(), steps);
    }

    /** The parts in the order of their first calls. */
    private List<History<O, R>> parts(History<O, R> history) {
        Map<Object, List<Invocation<O, R>>> parts = new LinkedHashMap<>();
        for (Invocation<O, R> invocation : history.invocations()) {
            parts.computeIfAbsent(specification.partOf(invocation.operation()), p -> new ArrayList<>())
                    .add(invocation);
        }
        if (parts.size() <= 1) {
            return List.of(history);
        }
        return parts.values().stream().map(History::sorted).toList();
    }
}
