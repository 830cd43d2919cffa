// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The priorities of agents. Each is random, and drawn when it is first asked for, unless it is set. */
final class Priorities {
    private final SplittableRandom random;

    /** By the number of the agent; agents from {@code known} on have none yet. */
    private long[] priorities = new long[64];

    private int known;

    /** @param random draws them */
    Priorities(SplittableRandom random) {
        this.random = random;
    }

    long of(Agent agent) {
        int number = agent.number();
        if (number >= priorities.length) {
            priorities = Arrays.copyOf(priorities, Math.max(number + 1, 2 * priorities.length));
        }
        while (known <= number) {
            priorities[known++] = draw();
        }
        return priorities[number];
    }

    private long draw() {
        return 1 + (random.nextLong() >>> 1);
    }

    /** Gives an agent another random priority. */
    void renew(Agent agent) {
        of(agent); // those before it are drawn first
        priorities[agent.number()] = draw();
    }

    void set(Agent agent, long priority) {
        of(agent);
        priorities[agent.number()] = priority;
    }

    /** The position of the candidate with the highest priority. */
    int highest(List<? extends Agent> candidates) {
        int best = 0;
        long highest = of(candidates.get(0));
        for (int i = 1; i < candidates.size(); i++) {
            long priority = of(candidates.get(i));
            if (priority > highest) {
                best = i;
                highest = priority;
            }
        }
        return best;
    }
}
