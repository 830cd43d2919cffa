// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.Specification;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** A checker that tries every order of every choice of pending operations: too simple to be wrong, and slow. */
final class BruteForce {
    private BruteForce() {}

    static <S, O, R> boolean isLinearizable(History<O, R> history, Specification<S, O, R> specification) {
        return hasOrder(history, specification, Invocation::isBefore);
    }

    static <S, O, R> boolean isQuiescentlyConsistent(
            History<O, R> history, Specification<S, O, R> specification, Predicate<O> counts) {
        return hasOrder(history, specification, (x, y) -> x.isBefore(y) && isQuietBetween(history, x, y, counts));
    }

    /** Whether no operation is in flight half-way between two moments, which the recorder numbers 0, 1, 2. */
    private static <O, R> boolean isQuietBetween(
            History<O, R> history, Invocation<O, R> x, Invocation<O, R> y, Predicate<O> counts) {
        for (double moment = x.returned() + 0.5; moment < y.called(); moment++) {
            double quiet = moment;
            if (history.invocations().stream()
                    .filter(i -> counts.test(i.operation()))
                    .noneMatch(i -> i.called() < quiet && quiet < i.returned())) {
                return true;
            }
        }
        return false;
    }

    private static <S, O, R> boolean hasOrder(
            History<O, R> history,
            Specification<S, O, R> specification,
            BiPredicate<Invocation<O, R>, Invocation<O, R>> before) {
        return canFinish(new ArrayList<>(history.invocations()), specification.initial(), specification, before);
    }

    private static <S, O, R> boolean canFinish(
            List<Invocation<O, R>> left,
            S state,
            Specification<S, O, R> specification,
            BiPredicate<Invocation<O, R>, Invocation<O, R>> before) {
        if (left.stream().allMatch(Invocation::isPending)) {
            return true;
        }
        for (Invocation<O, R> next : left) {
            if (left.stream().anyMatch(other -> before.test(other, next))) {
                continue;
            }
            List<Invocation<O, R>> others = new ArrayList<>(left);
            others.remove(next);
            List<S> outcomes = next.isPending()
                    ? specification.afterPending(state, next.operation())
                    : specification.after(state, next.operation(), next.result());
            for (S outcome : outcomes) {
                if (canFinish(others, outcome, specification, before)) {
                    return true;
                }
            }
        }
        return false;
    }
}
