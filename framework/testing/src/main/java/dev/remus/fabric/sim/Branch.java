// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/** The pick of an agent in a search with reduction: only some of the candidates are tried. Agents are numbers here. */
final class Branch extends Decision {
    private final BitSet enabled;
    private final BitSet blocked;

    /** Those to be tried; races that later steps show add to it. */
    private final BitSet wanted = new BitSet();

    /** Agents whose next step, with this footprint, was tried before, here or earlier. */
    private final Map<Integer, Footprint> asleep;

    private int taken;
    private Footprint footprint = new Footprint();

    /**
     * @param enabled those that can take a step
     * @param blocked those that have to wait for the end of an atomic
     * @param asleep those whose step need not be tried
     * @param first one that is not asleep
     */
    Branch(BitSet enabled, BitSet blocked, Map<Integer, Footprint> asleep, int first) {
        this.enabled = enabled;
        this.blocked = blocked;
        this.asleep = asleep;
        this.taken = first;
        wanted.set(first);
    }

    BitSet enabled() {
        return enabled;
    }

    boolean isBlocked(int agent) {
        return blocked.get(agent);
    }

    /** Whether an agent could take a step here, or is blocked. */
    boolean isPresent(int agent) {
        return enabled.get(agent) || blocked.get(agent);
    }

    int taken() {
        return taken;
    }

    /** Adds what the step of the picked agent has accessed in a run. */
    void accessed(Footprint step) {
        footprint.addAll(step);
    }

    /** Those that stay asleep after a step. */
    Map<Integer, Footprint> asleepAfter(Footprint step) {
        Map<Integer, Footprint> left = new TreeMap<>();
        asleep.forEach((agent, next) -> {
            if (!next.conflictsWith(step)) {
                left.put(agent, next);
            }
        });
        return left;
    }

    /** Whether one of these agents is tried, or need not be. */
    boolean tries(BitSet agents) {
        return agents.intersects(wanted) || asleep.keySet().stream().anyMatch(agents::get);
    }

    /** Has an agent tried. */
    void want(int agent) {
        wanted.set(agent);
    }

    /** Has all agents tried. */
    void wantAll() {
        wanted.or(enabled);
    }

    private int following() {
        int agent = wanted.nextSetBit(0);
        while (agent >= 0 && (agent == taken || asleep.containsKey(agent))) {
            agent = wanted.nextSetBit(agent + 1);
        }
        return agent;
    }

    @Override
    boolean hasNext() {
        return following() >= 0;
    }

    @Override
    void next() {
        int following = following();
        asleep.put(taken, footprint);
        footprint = new Footprint();
        taken = following;
    }
}
