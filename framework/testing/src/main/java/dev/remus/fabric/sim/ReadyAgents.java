package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Who can go on, for a scheduler to pick from. Adding and removing take the same time however many there are. */
final class ReadyAgents {
    private final List<Agent> agents = new ArrayList<>();
    private final List<Agent> view = Collections.unmodifiableList(agents);

    boolean isEmpty() {
        return agents.isEmpty();
    }

    Agent get(int position) {
        return agents.get(position);
    }

    /** In an order that depends on nothing but what was added and removed. */
    List<Agent> all() {
        return view;
    }

    /** Does nothing if it is there already. */
    void add(Agent agent) {
        if (agent.position < 0) {
            agent.position = agents.size();
            agents.add(agent);
        }
    }

    /** Puts the last one into the gap; does nothing if the agent is not there. */
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
