package dev.remus.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The search for a correct order of one history. Used once.
 *
 * <p>It places one invocation after the other. The one that returns at the frontier must get its place next, perhaps after
 * others that are in flight there. So the search goes from frontier to frontier, depth first; and at each frontier breadth
 * first, so that as few of the others as possible get a place before they must. That keeps it from losing itself among
 * many that are in flight. A configuration that was reached before is not entered again. Nothing is recursive, so a
 * history may be long.
 */
final class Search<S, O, R> {
    private final List<Invocation<O, R>> invocations;
    private final Specification<S, O, R> specification;
    private final long budget;
    private final InFlight<O, R> inFlight;
    private final Set<Configuration<S>> seen = new HashSet<>();
    private Level<S> level;
    private Configuration<S> furthest;
    private long steps;

    /** The configurations at one frontier from which something is left to try; below it those at earlier frontiers. */
    private static final class Level<S> {
        final Level<S> below;
        final int frontier;
        /** Here the invocation at the frontier has not been tried. */
        Configuration<S> fresh;
        /** Here it has, and others come first: in the order in which they were reached. */
        Configuration<S> firstOpen;

        Configuration<S> lastOpen;

        Level(Level<S> below, int frontier) {
            this.below = below;
            this.frontier = frontier;
        }

        void addFresh(Configuration<S> c) {
            c.queued = fresh;
            fresh = c;
        }

        Configuration<S> open() {
            Configuration<S> c = fresh;
            fresh = c.queued;
            c.queued = null;
            if (firstOpen == null) {
                firstOpen = c;
            } else {
                lastOpen.queued = c;
            }
            lastOpen = c;
            return c;
        }
    }

    Search(History<O, R> history, Specification<S, O, R> specification, long budget) {
        this.invocations = history.invocations();
        this.specification = specification;
        this.budget = budget;
        inFlight = new InFlight<>(history);
        furthest = Configuration.initial(inFlight, specification.initial());
        level = new Level<>(null, 0);
        level.addFresh(furthest);
    }

    Verdict.Outcome run() {
        while (furthest.frontier < inFlight.returns()) {
            if (level == null) {
                return Verdict.Outcome.REJECTED;
            }
            if (steps >= budget) {
                return Verdict.Outcome.UNKNOWN;
            }
            if (level.fresh != null) {
                place(level.open(), inFlight.due(level.frontier));
            } else if (level.firstOpen != null) {
                placeAnother(level.firstOpen);
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

    /** The invocation that no order got past. */
    Invocation<O, R> stuck() {
        return invocations.get(inFlight.due(furthest.frontier));
    }

    /** Places the next one that need not have its place yet. */
    private void placeAnother(Configuration<S> c) {
        inFlight.moveTo(level.frontier);
        int i = c.tried;
        do {
            i = i == InFlight.NONE ? inFlight.first() : inFlight.following(i);
        } while (i != InFlight.NONE && !isWorthPlacing(i, c));
        c.tried = i;
        if (i == InFlight.NONE) {
            level.firstOpen = c.queued;
        } else {
            place(c, i);
        }
    }

    private boolean isWorthPlacing(int i, Configuration<S> c) {
        if (i == inFlight.due(level.frontier) || c.hasPlaced(i, inFlight)) {
            return false;
        }
        // Of pending ones that call the same, the one that was called first does for all.
        int twin = inFlight.twin(i);
        return twin == InFlight.NONE || c.hasPlaced(twin, inFlight);
    }

    private void place(Configuration<S> c, int i) {
        Invocation<O, R> invocation = invocations.get(i);
        steps++;
        List<S> outcomes = invocation.isPending()
                ? specification.afterPending(c.state, invocation.operation())
                : specification.after(c.state, invocation.operation(), invocation.result());
        for (S outcome : outcomes) {
            if (invocation.isPending() && outcome.equals(c.state)) {
                continue; // as if it had not happened, which it need not
            }
            Configuration<S> reached = c.with(i, outcome, inFlight);
            if (seen.add(reached)) {
                if (reached.frontier > level.frontier) {
                    level = new Level<>(level, reached.frontier);
                }
                level.addFresh(reached);
                furthest = reached.frontier > furthest.frontier ? reached : furthest;
            }
        }
    }
}
