// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search for a correct order of one history. Used once.
 *
 * <p>It places one invocation after the other. The one that returns at the frontier must get its place next, perhaps
 * after others that are in flight there. So the search goes from frontier to frontier, depth first; and at each
 * frontier breadth first, so that as few of the others as possible get a place before they must. That keeps it from
 * losing itself among many that are in flight. Nothing is recursive, so a history may be long.
 *
 * <p>It leaves out what cannot change the answer: a configuration that was reached before; every alternative to an
 * invocation that fits and never changes anything, since that may as well come now; and of those that are alike (see
 * {@link Configuration#hasBetterTwin}) all but one.
 */
final class Search<S, O, R> {
    private final List<Invocation<O, R>> invocations;
    private final Specification<S, O, R> specification;
    private final long budget;
    private final InFlight<O, R> inFlight;
    /** Which change nothing. */
    private final BitSet queries = new BitSet();

    private final Set<Configuration<S>> seen = new HashSet<>();
    /** Null when nothing is left to try. */
    private @Nullable Level<S> level;

    private Configuration<S> furthest;
    private long steps;

    /** The configurations at one frontier from which something is left to try; below it those at earlier frontiers. */
    private static final class Level<S> {
        final @Nullable Level<S> below;
        final int frontier;
        /** Here the invocation at the frontier has not been tried. */
        final Queue<S> fresh = new Queue<>();
        /** Here it has, and others come first. */
        final Queue<S> open = new Queue<>();

        Level(@Nullable Level<S> below, int frontier) {
            this.below = below;
            this.frontier = frontier;
        }
    }

    /** First in, first out. A configuration is in at most one queue. */
    private static final class Queue<S> {
        private @Nullable Configuration<S> first;
        private @Nullable Configuration<S> last;

        boolean isEmpty() {
            return first == null;
        }

        void add(Configuration<S> c) {
            if (last == null) {
                first = c;
            } else {
                last.queued = c;
            }
            last = c;
        }

        Configuration<S> take() {
            Configuration<S> c = Objects.requireNonNull(first, "the queue is empty");
            first = c.queued;
            last = first == null ? null : last;
            c.queued = null;
            return c;
        }
    }

    Search(History<O, R> history, Specification<S, O, R> specification, long budget) {
        this.invocations = history.invocations();
        this.specification = specification;
        this.budget = budget;
        inFlight = new InFlight<>(history);
        for (int i = 0; i < invocations.size(); i++) {
            Invocation<O, R> invocation = invocations.get(i);
            queries.set(
                    i,
                    !invocation.isPending()
                            && specification.changesNothing(invocation.operation(), invocation.result()));
        }
        furthest = Configuration.initial(inFlight, specification.initial());
        level = new Level<>(null, 0);
        level.fresh.add(furthest);
    }

    Verdict.Outcome run() {
        while (furthest.frontier < inFlight.returns()) {
            if (level == null) {
                return Verdict.Outcome.REJECTED;
            }
            if (steps >= budget) {
                return Verdict.Outcome.UNKNOWN;
            }
            inFlight.moveTo(level.frontier);
            if (!level.fresh.isEmpty()) {
                tryDue(level.fresh.take(), level);
            } else if (!level.open.isEmpty()) {
                tryOthers(level.open.take(), level);
            } else {
                level = level.below;
            }
        }
        return Verdict.Outcome.ACCEPTED;
    }

    long steps() {
        return steps;
    }

    /** An order with the furthest frontier. */
    List<Invocation<O, R>> bestOrder() {
        return furthest.order().stream().map(invocations::get).toList();
    }

    /** The invocation that this order did not get past. */
    Invocation<O, R> stuck() {
        return invocations.get(inFlight.due(furthest.frontier));
    }

    /** Places the invocation at the frontier if it fits, after those that may as well come before it. */
    private void tryDue(Configuration<S> c, Level<S> here) {
        int due = inFlight.due(here.frontier);
        List<S> outcomes = outcomes(c.state, due);
        Configuration<S> quiet = outcomes.isEmpty() ? c : withAllThatChangeNothing(c);
        if (quiet.frontier > here.frontier) {
            reach(quiet);
        } else if (quiet.equals(c) || seen.add(quiet)) {
            here.open.add(quiet);
            place(quiet, due, outcomes);
        }
    }

    /** Places those that are in flight and need not have a place yet: each in a configuration of its own. */
    private void tryOthers(Configuration<S> c, Level<S> here) {
        Configuration<S> quiet = withAllThatChangeNothing(c);
        if (!quiet.equals(c)) {
            reach(quiet);
            return;
        }
        int due = inFlight.due(here.frontier);
        for (int i = inFlight.first(); i != InFlight.NONE; i = inFlight.following(i)) {
            if (i != due && !queries.get(i) && !c.hasPlaced(i, inFlight) && !c.hasBetterTwin(i, inFlight)) {
                place(c, i, outcomes(c.state, i));
            }
        }
    }

    /** Places all that fit and never change anything, up to the next frontier. */
    private Configuration<S> withAllThatChangeNothing(Configuration<S> c) {
        Configuration<S> result = c;
        if (!c.quiet) {
            for (int i = inFlight.first();
                    i != InFlight.NONE && result.frontier == c.frontier;
                    i = inFlight.following(i)) {
                if (queries.get(i)
                        && !c.hasPlaced(i, inFlight)
                        && !outcomes(c.state, i).isEmpty()) {
                    result = result.with(i, c.state, inFlight);
                }
            }
            result.quiet = result.frontier == c.frontier;
        }
        return result;
    }

    private void place(Configuration<S> c, int i, List<S> outcomes) {
        for (S outcome : outcomes) {
            // A pending one that changes nothing might as well not have happened.
            if (!invocations.get(i).isPending() || !outcome.equals(c.state)) {
                reach(c.with(i, outcome, inFlight));
            }
        }
    }

    private void reach(Configuration<S> c) {
        if (seen.add(c)) {
            Level<S> here = level;
            if (here == null || c.frontier > here.frontier) {
                here = new Level<>(here, c.frontier);
                level = here;
            }
            here.fresh.add(c);
            furthest = c.frontier > furthest.frontier ? c : furthest;
        }
    }

    private List<S> outcomes(S state, int i) {
        steps++;
        Invocation<O, R> invocation = invocations.get(i);
        return invocation.isPending()
                ? specification.afterPending(state, invocation.operation())
                : specification.after(state, invocation.operation(), invocation.result());
    }
}
