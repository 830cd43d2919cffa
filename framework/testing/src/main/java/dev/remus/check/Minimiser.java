// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Takes out of a history that a checker rejects what has nothing to do with it: first what was called too late to
 * matter, then whole threads, then halves, quarters and so on, single operations, and at last pairs of them. What stays
 * is unchanged.
 *
 * <p>An operation goes only if the rest still fails for the same reason. The failing operation stays the same: the
 * results before it can be explained, and its own cannot. If only the order in time makes the history wrong, that stays
 * so: if all operations overlapped, they could be explained. If some of the others, with any results, could lead to the
 * failing operation's result, some still can. And what is about one value stays together, such as the enqueue and the
 * dequeue of an item. Without these rules every failure of a queue would shrink to a lone dequeue of an item that was
 * never enqueued, and reveal nothing about the bug.
 *
 * <p>Source: A. Zeller and R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE Transactions on
 * Software Engineering 28(2), 2002 (ddmin; pairs are an addition, since an insert and its remove can go only together).
 *
 * @param <O> operations
 * @param <R> results
 */
public final class Minimiser<O, R> {
    /** Pairs are tried when at most this many groups are left. */
    private static final int PAIRS_UP_TO = 24;
    /** When the checker has used this many steps, what has been reached is good enough. */
    private static final long BUDGET = 10 * Decider.DEFAULT_BUDGET;

    /** For the questions whether only time is wrong, and whether a result is possible, which are hard ones. */
    private static final long BUDGET_WITHOUT_TIME = 20_000;

    private final Decider<O, R> checker;
    private final Function<History<O, R>, Function<? super Invocation<O, R>, ?>> grouping;

    /**
     * An operation with an argument that no other has, and those that returned it, stay together or go together. These
     * values are words of the texts of operations and results.
     */
    public Minimiser(Decider<O, R> checker) {
        this.checker = checker;
        this.grouping = SharedValues::new;
    }

    /** @param together operations for which this is the same stay together or go together */
    public Minimiser(Decider<O, R> checker, Function<? super Invocation<O, R>, ?> together) {
        this.checker = checker;
        this.grouping = history -> together;
    }

    /**
     * Makes a rejected history small.
     *
     * @return the verdict on the smallest history found: rejected, and (as long as the work stays within bounds) no
     *     group of operations can be taken out of it without losing the failure
     * @throws IllegalArgumentException if the checker does not reject the history
     */
    public Verdict<O, R> minimise(History<O, R> history) {
        Verdict<O, R> verdict = checker.check(history);
        if (!verdict.isRejected()) {
            throw new IllegalArgumentException("only what is rejected can be minimised, and this is " + verdict);
        }
        Run<O, R> run = new Run<>(checker, grouping.apply(history), verdict);
        run.mindTime();
        run.dropWhatCameLater();
        run.mindTime();
        run.dropThreads();
        int groups;
        do {
            run.dropChunks();
            groups = run.groups().size();
            run.dropPairs();
        } while (run.groups().size() < groups);
        return run.smallest;
    }

    /** The work on one history. */
    private static final class Run<O, R> {
        final Decider<O, R> checker;
        final Function<? super Invocation<O, R>, ?> together;
        final int culprit;
        Verdict<O, R> smallest;
        boolean onlyTimeIsWrong;

        /** Whether others than those that stay with the culprit are needed to make its result possible. */
        final boolean needsOthers;

        long steps;

        Run(Decider<O, R> checker, Function<? super Invocation<O, R>, ?> together, Verdict<O, R> verdict) {
            this.checker = checker;
            this.together = together;
            culprit = verdict.culprit().id();
            smallest = verdict;
            Object group = together.apply(verdict.culprit());
            History<O, R> all = verdict.history();
            needsOthers = !isPossible(all.only(i -> group.equals(together.apply(i)))) && isPossible(all);
        }

        /** Whether the culprit's result is possible if any of the others take effect, in any order. */
        private boolean isPossible(History<O, R> history) {
            History<O, R> free = History.sorted(history.invocations().stream()
                    .map(i -> i.during(Long.MIN_VALUE, i.id() == culprit ? Invocation.PENDING - 1 : Invocation.PENDING))
                    .toList());
            Verdict<O, R> verdict = checker.withBudget(BUDGET_WITHOUT_TIME).check(free);
            steps += verdict.steps();
            return verdict.isAccepted();
        }

        /** Sees whether only the order in time makes the history wrong, which then has to stay so. */
        void mindTime() {
            onlyTimeIsWrong = onlyTimeIsWrong || isRightWithoutTime(smallest.history());
        }

        private boolean isRightWithoutTime(History<O, R> history) {
            History<O, R> overlapping = History.sorted(history.invocations().stream()
                    .map(i -> i.during(Long.MIN_VALUE, i.isPending() ? Invocation.PENDING : Invocation.PENDING - 1))
                    .toList());
            Verdict<O, R> verdict = checker.withBudget(BUDGET_WITHOUT_TIME).check(overlapping);
            steps += verdict.steps();
            return verdict.isAccepted();
        }

        void dropWhatCameLater() {
            long end = smallest.culprit().returned();
            drop(smallest.history().invocations().stream()
                    .filter(i -> i.called() > end)
                    .toList());
        }

        void dropThreads() {
            for (int thread : smallest.history().threads()) {
                Set<Object> groups = new HashSet<>();
                smallest.history().invocations().stream()
                        .filter(i -> i.thread() == thread)
                        .forEach(i -> groups.add(together.apply(i)));
                drop(smallest.history().invocations().stream()
                        .filter(i -> groups.contains(together.apply(i)))
                        .toList());
            }
        }

        void dropChunks() {
            List<List<Invocation<O, R>>> groups = groups();
            int chunk = Math.max(1, groups.size() / 2);
            while (true) {
                boolean dropped = false;
                for (int from = 0; from < groups.size(); ) {
                    int to = Math.min(groups.size(), from + chunk);
                    if (drop(flat(groups.subList(from, to)))) {
                        groups.subList(from, to).clear();
                        dropped = true;
                    } else {
                        from = to;
                    }
                }
                if (chunk == 1 && !dropped) {
                    return;
                }
                chunk = Math.max(1, dropped ? Math.min(chunk, groups.size() / 2) : chunk / 2);
            }
        }

        void dropPairs() {
            List<List<Invocation<O, R>>> groups = groups();
            if (groups.size() > PAIRS_UP_TO) {
                return;
            }
            for (int i = 0; i < groups.size(); i++) {
                for (int j = i + 1; j < groups.size(); j++) {
                    if (drop(flat(List.of(groups.get(i), groups.get(j))))) {
                        groups.remove(j);
                        groups.remove(i);
                        i--;
                        break;
                    }
                }
            }
        }

        /** The groups that are left and could go, by first call. */
        List<List<Invocation<O, R>>> groups() {
            Map<Object, List<Invocation<O, R>>> groups = new LinkedHashMap<>();
            for (Invocation<O, R> i : smallest.history().invocations()) {
                groups.computeIfAbsent(together.apply(i), g -> new ArrayList<>())
                        .add(i);
            }
            groups.remove(together.apply(smallest.culprit()));
            return new ArrayList<>(groups.values());
        }

        private boolean drop(Collection<Invocation<O, R>> invocations) {
            Set<Integer> ids = new HashSet<>();
            invocations.forEach(i -> ids.add(i.id()));
            if (ids.isEmpty() || ids.contains(culprit) || steps > BUDGET) {
                return false;
            }
            History<O, R> rest = smallest.history().only(i -> !ids.contains(i.id()));
            Verdict<O, R> verdict = checker.check(rest);
            steps += verdict.steps();
            boolean fails = verdict.isRejected() && verdict.culprit().id() == culprit;
            if (fails && (!onlyTimeIsWrong || isRightWithoutTime(rest)) && (!needsOthers || isPossible(rest))) {
                smallest = verdict;
                return true;
            }
            return false;
        }

        private static <T> List<T> flat(List<List<T>> lists) {
            return lists.stream().flatMap(List::stream).toList();
        }
    }
}
