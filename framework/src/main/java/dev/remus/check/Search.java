package dev.remus.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The search for a correct order of one history: depth first, with a stack of its own, so that long histories need no
 * deep recursion. Used once.
 *
 * <p>Places one invocation after the other: always one that was called before the earliest return that has no place yet
 * (the frontier), and whose result the specification allows in the present state. When none is left to try, it takes the
 * last one back. A configuration that was reached before is not entered again.
 */
final class Search<S, O, R> {
    private final List<Invocation<O, R>> invocations;
    private final Specification<S, O, R> specification;
    private final long budget;
    private final Candidates<O, R> candidates;
    private final Set<Configuration> seen = new HashSet<>();

    private S state;
    private int frontier;
    private final long[] placedInFlight;
    private long steps;

    // The stack: for each placed invocation how things were before it, and which of its possible outcomes was taken.
    private int depth;
    private final int[] invocationAt;
    private final int[] frontierAt;
    private final int[] outcomeAt;
    private final Object[] stateAt;

    // The best order seen: the one with the furthest frontier, and of those the longest.
    private final int[] best;
    private int bestDepth;
    private int bestFrontier = -1;
    private int sharedWithBest;

    Search(History<O, R> history, Specification<S, O, R> specification, long budget) {
        this.invocations = history.invocations();
        this.specification = specification;
        this.budget = budget;
        candidates = new Candidates<>(history);
        int size = invocations.size();
        placedInFlight = new long[(candidates.slots + Long.SIZE - 1) / Long.SIZE];
        invocationAt = new int[size];
        frontierAt = new int[size];
        outcomeAt = new int[size];
        stateAt = new Object[size];
        best = new int[size];
        state = specification.initial();
    }

    Verdict.Outcome run() {
        int[] returns = candidates.returns;
        int candidate = returns.length == 0 ? Candidates.NONE : returns[0];
        int firstOutcome = 0;
        while (frontier < returns.length) {
            if (steps >= budget) {
                keepIfBest();
                return Verdict.Outcome.UNKNOWN;
            }
            if (candidate == Candidates.NONE) {
                keepIfBest();
                if (depth == 0) {
                    return Verdict.Outcome.REJECTED;
                }
                candidate = takeBack();
                firstOutcome = outcomeAt[depth] + 1;
            } else if (place(candidate, firstOutcome)) {
                candidate = frontier < returns.length ? returns[frontier] : Candidates.NONE;
                firstOutcome = 0;
            } else {
                candidate = candidates.following(candidate, frontier);
                firstOutcome = 0;
            }
        }
        keepIfBest();
        return Verdict.Outcome.ACCEPTED;
    }

    long steps() {
        return steps;
    }

    /** The order with the furthest frontier. */
    List<Invocation<O, R>> bestOrder() {
        List<Invocation<O, R>> order = new ArrayList<>(bestDepth);
        for (int i = 0; i < bestDepth; i++) {
            order.add(invocations.get(best[i]));
        }
        return order;
    }

    /** The invocation that no order got past. */
    Invocation<O, R> stuck() {
        return invocations.get(candidates.returns[bestFrontier]);
    }

    private boolean place(int i, int firstOutcome) {
        Invocation<O, R> invocation = invocations.get(i);
        steps++;
        List<S> outcomes = invocation.isPending()
                ? specification.afterPending(state, invocation.operation())
                : specification.after(state, invocation.operation(), invocation.result());
        for (int k = firstOutcome; k < outcomes.size(); k++) {
            S outcome = outcomes.get(k);
            if (invocation.isPending() && outcome.equals(state)) {
                continue; // as if it had not happened, which it need not
            }
            int before = frontier;
            setPlaced(i, true);
            candidates.take(i);
            advance();
            if (seen.add(new Configuration(frontier, placedInFlight.clone(), outcome))) {
                invocationAt[depth] = i;
                frontierAt[depth] = before;
                outcomeAt[depth] = k;
                stateAt[depth] = state;
                depth++;
                state = outcome;
                return true;
            }
            undo(i, before);
        }
        return false;
    }

    @SuppressWarnings("unchecked") // only states are put there
    private int takeBack() {
        depth--;
        sharedWithBest = Math.min(sharedWithBest, depth);
        state = (S) stateAt[depth];
        stateAt[depth] = null;
        undo(invocationAt[depth], frontierAt[depth]);
        return invocationAt[depth];
    }

    /** Moves the frontier over the returns of all that have a place; they are not in flight any more. */
    private void advance() {
        int[] returns = candidates.returns;
        while (frontier < returns.length && candidates.placed[returns[frontier]]) {
            setPlaced(returns[frontier], false);
            frontier++;
        }
    }

    private void undo(int i, int before) {
        while (frontier > before) {
            frontier--;
            setPlaced(candidates.returns[frontier], true);
        }
        setPlaced(i, false);
        candidates.putBack(i);
    }

    private void setPlaced(int i, boolean placed) {
        int slot = candidates.slot[i];
        long bit = 1L << slot;
        int word = slot >>> 6;
        placedInFlight[word] = placed ? placedInFlight[word] | bit : placedInFlight[word] & ~bit;
    }

    /** Copies only what changed since the last time, so that this costs no more than the search itself. */
    private void keepIfBest() {
        if (frontier > bestFrontier || frontier == bestFrontier && depth > bestDepth) {
            System.arraycopy(invocationAt, sharedWithBest, best, sharedWithBest, depth - sharedWithBest);
            sharedWithBest = depth;
            bestDepth = depth;
            bestFrontier = frontier;
        }
    }
}
