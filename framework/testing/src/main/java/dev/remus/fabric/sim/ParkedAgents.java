// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Agents that wait for a change, in the order in which they began, and when each would wake up without one. */
final class ParkedAgents {
    private record Parked(Agent agent, long wakesAt) {}

    private final List<Parked> parked = new ArrayList<>();

    void add(Agent agent, long wakesAt) {
        parked.add(new Parked(agent, wakesAt));
    }

    void remove(Agent agent) {
        parked.removeIf(one -> one.agent == agent);
    }

    /** Removes and returns the agent that would wake up first; null if there is none. */
    @Nullable
    Agent removeFirst() {
        Parked first = null;
        for (Parked one : parked) {
            first = first == null || one.wakesAt < first.wakesAt ? one : first;
        }
        parked.remove(first);
        return first == null ? null : first.agent;
    }

    /** Removes all, and passes each on. */
    void removeAll(Consumer<Agent> to) {
        parked.forEach(one -> to.accept(one.agent));
        parked.clear();
    }
}
