// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The steps of one run, which of them happened before which, and the races among them. A race is a pair of steps of two
 * agents that conflict and could have been taken in the other order. For each, the {@link Branch} before the first step
 * gets an agent to try with which that order begins.
 */
final class Races {
    private static final int NONE = -1;

    /** A step. */
    private static final class Step {
        final int agent;
        final Branch branch;
        final Footprint footprint = new Footprint();

        /** The steps that happened before it, by number. */
        final BitSet before = new BitSet();

        Step(int agent, Branch branch) {
            this.agent = agent;
            this.branch = branch;
        }
    }

    private final List<Step> steps = new ArrayList<>();
    private final Map<Integer, Integer> lastOf = new HashMap<>();

    /** By agent: the step that let it go on, if it could not before. */
    private final Map<Integer, Integer> enabledBy = new HashMap<>();

    private BitSet present = new BitSet();

    /** Records which agents have a step to take before the next pick. */
    void present(BitSet agents) {
        for (int agent = agents.nextSetBit(0); agent >= 0; agent = agents.nextSetBit(agent + 1)) {
            if (!present.get(agent)) {
                enabledBy.put(agent, steps.size() - 1);
            }
        }
        present = agents;
    }

    /** Begins a step, and returns its footprint, which is to be filled until {@link #end}. */
    Footprint begin(int agent, Branch branch) {
        Step step = new Step(agent, branch);
        addBefore(step.before, lastOf.getOrDefault(agent, NONE));
        addBefore(step.before, enabledBy.getOrDefault(agent, NONE));
        steps.add(step);
        lastOf.put(agent, steps.size() - 1);
        return step.footprint;
    }

    private void addBefore(BitSet before, int number) {
        if (number != NONE) {
            before.set(number);
            before.or(steps.get(number).before);
        }
    }

    /**
     * Ends the last step, and finds its races with those before.
     *
     * @param own the word that stands for the state of its agent
     */
    void end(long own) {
        Step last = steps.get(steps.size() - 1);
        BitSet covered = (BitSet) last.before.clone();
        List<Integer> races = new ArrayList<>();
        for (int i = steps.size() - 2; i >= 0; i--) {
            Step earlier = steps.get(i);
            if (earlier.agent == last.agent || !earlier.footprint.conflictsWith(last.footprint)) {
                continue;
            }
            if (!covered.get(i) && isReversible(earlier, last, own)) {
                races.add(i);
                covered.or(earlier.before);
            }
            addBefore(last.before, i);
        }
        races.forEach(i -> reverse(i, last));
    }

    private static boolean isReversible(Step earlier, Step later, long own) {
        boolean hasEnabled = earlier.footprint.hasChanged(own) && !earlier.branch.isPresent(later.agent);
        return !hasEnabled && !earlier.footprint.isAwaitedBy(later.footprint);
    }

    /** Has the branch before a step try an agent with which the last step comes before that one. */
    private void reverse(int number, Step last) {
        Branch branch = steps.get(number).branch;
        BitSet first = firstWithout(number, last);
        if (branch.tries(first)) {
            return;
        }
        if (branch.isBlocked(last.agent)) {
            branch.wantAll();
            return;
        }
        BitSet possible = (BitSet) first.clone();
        possible.and(branch.enabled());
        if (possible.get(last.agent)) {
            branch.want(last.agent);
        } else if (!possible.isEmpty()) {
            branch.want(possible.nextSetBit(0));
        } else {
            branch.wantAll();
        }
    }

    /** The agents that may go on first when a step, and all that it happened before, are left out. */
    private BitSet firstWithout(int number, Step last) {
        BitSet first = new BitSet();
        BitSet seen = new BitSet();
        BitSet kept = new BitSet();
        for (int i = number + 1; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step.before.get(number) && step != last) {
                continue;
            }
            if (!seen.get(step.agent)) {
                seen.set(step.agent);
                if (!step.before.intersects(kept)) {
                    first.set(step.agent);
                }
            }
            kept.set(i);
        }
        return first;
    }
}
