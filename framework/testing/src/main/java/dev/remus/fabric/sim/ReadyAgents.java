// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The agents that can go on, for a scheduler to pick from. Adding and removing take constant time. */
final class ReadyAgents {
    private final List<Agent> agents = new ArrayList<>();
    private final List<Agent> view = Collections.unmodifiableList(agents);

    boolean isEmpty() {
        return agents.isEmpty();
    }

    Agent get(int position) {
        return agents.get(position);
    }

    /** In an order that depends only on the additions and removals. */
    List<Agent> all() {
        return view;
    }

    /** Adds an agent; does nothing if it is there already. */
    void add(Agent agent) {
        if (agent.position < 0) {
            agent.position = agents.size();
            agents.add(agent);
        }
    }

    /** Removes an agent and puts the last one in its place; does nothing if the agent is not there. */
    void remove(Agent agent) {
        if (agent.position >= 0) {
            Agent last = agents.remove(agents.size() - 1);
            if (last != agent) {
                agents.set(agent.position, last);
                last.position = agent.position;
            }
            agent.position = -1;
        }
    }
}
