// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Finds the first return that no order explains. Whatever begins a linearizable history is linearizable too, with what
 * has not returned by then as pending; so the shortest beginning that is not linearizable can be found by strides and
 * by halving.
 */
final class Prefixes {
    private Prefixes() {}

    /**
     * The same verdict, but stuck where the shortest wrong beginning ends, and with an order of what returned before.
     *
     * @param rejected by {@link Search}, on the whole history
     * @param check of its beginnings; one that it does not decide counts as right
     */
    static <O, R> Verdict<O, R> firstWrongReturn(Verdict<O, R> rejected, Function<History<O, R>, Verdict<O, R>> check) {
        List<Invocation<O, R>> returns = rejected.history().invocations().stream()
                .filter(i -> !i.isPending())
                .sorted(Comparator.comparingLong(Invocation::returned))
                .toList();
        // What the search explained is right, and usually what it got stuck at is already the first that is wrong.
        int right = returns.indexOf(rejected.culprit()) - 1;
        int wrong = returns.size() - 1;
        List<Invocation<O, R>> order = rejected.order();
        long steps = rejected.steps();
        int stride = 1;
        while (wrong - right > 1) {
            int next = Math.min(right + stride, (right + wrong) >>> 1);
            Verdict<O, R> verdict = check.apply(beginning(rejected.history(), returns, next));
            steps += verdict.steps();
            if (verdict.isRejected()) {
                wrong = next;
            } else {
                right = next;
                order = verdict.order();
                stride *= 2;
            }
        }
        Map<Integer, Invocation<O, R>> originals = new HashMap<>();
        rejected.history().invocations().forEach(i -> originals.put(i.id(), i));
        return new Verdict<>(
                rejected.outcome(),
                rejected.property(),
                rejected.history(),
                order.stream().map(i -> originals.get(i.id())).toList(),
                returns.get(wrong),
                steps);
    }

    /** What had been called by the last of these returns; what had not returned by then is pending. */
    private static <O, R> History<O, R> beginning(History<O, R> history, List<Invocation<O, R>> returns, int last) {
        long end = returns.get(last).returned();
        List<Invocation<O, R>> beginning = new ArrayList<>(returns.subList(0, last + 1));
        returns.subList(last + 1, returns.size()).stream()
                .filter(i -> i.called() <= end)
                .map(Prefixes::pending)
                .forEach(beginning::add);
        history.invocations().stream()
                .filter(i -> i.isPending() && i.called() <= end)
                .forEach(beginning::add);
        return History.sorted(beginning);
    }

    @SuppressWarnings("NullAway") // what is pending has no result
    private static <O, R> Invocation<O, R> pending(Invocation<O, R> i) {
        return new Invocation<>(i.id(), i.thread(), i.operation(), null, i.called(), Invocation.PENDING);
    }
}
