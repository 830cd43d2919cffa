// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Is a history <em>quiescently consistent</em>: can all operations be put in an order that the specification allows and
 * that never exchanges two operations with a <em>quiescent moment</em> between them, that is one at which no operation
 * is in flight? Between two such moments any order will do, even for the operations of one thread.
 *
 * <p>The object declares which operations disturb the quiet. A queue of which only concurrent enqueues may
 * overtake each other promises order across any moment with no enqueue in flight; dequeues then do not count. A
 * counting operation that is pending leaves no quiescent moment behind it.
 *
 * <p>Source: M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming", section 3.3; J. Aspnes, M. Herlihy and
 * N. Shavit, "Counting networks", JACM 41(5), 1994. The check is that for linearizability, of the history with each
 * operation stretched to the nearest quiescent moments before its call and after its return.
 *
 * @param <O> operations
 * @param <R> results
 */
public final class QuiescentConsistencyChecker<O, R> implements Checker<O, R> {
    private static final String PROPERTY = "quiescently consistent";

    private final LinearizabilityChecker<O, R> stretchedChecker;
    private final Predicate<? super O> counts;

    /**
     * With the default budget.
     *
     * @param counts the operations that must not be in flight at a quiescent moment
     */
    public QuiescentConsistencyChecker(Specification<?, O, R> specification, Predicate<? super O> counts) {
        this(new LinearizabilityChecker<>(specification, DEFAULT_BUDGET, PROPERTY), counts);
    }

    private QuiescentConsistencyChecker(LinearizabilityChecker<O, R> stretchedChecker, Predicate<? super O> counts) {
        this.stretchedChecker = stretchedChecker;
        this.counts = counts;
    }

    @Override
    public String property() {
        return PROPERTY;
    }

    @Override
    public QuiescentConsistencyChecker<O, R> withBudget(long steps) {
        return new QuiescentConsistencyChecker<>(stretchedChecker.withBudget(steps), counts);
    }

    @Override
    public Verdict<O, R> check(History<O, R> history) {
        Verdict<O, R> verdict = stretchedChecker.check(Quiescence.stretch(history, counts));
        Map<Integer, Invocation<O, R>> originals = new HashMap<>();
        history.invocations().forEach(invocation -> originals.put(invocation.id(), invocation));
        return new Verdict<>(
                verdict.outcome(),
                PROPERTY,
                History.sorted(originals(verdict.history().invocations(), originals)),
                originals(verdict.order(), originals),
                verdict.stuck() == null ? null : originals.get(verdict.stuck().id()),
                verdict.steps());
    }

    private static <O, R> List<Invocation<O, R>> originals(
            List<Invocation<O, R>> stretched, Map<Integer, Invocation<O, R>> originals) {
        return stretched.stream().map(i -> originals.get(i.id())).toList();
    }
}
