package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Probabilistic concurrency testing: each agent gets a random priority, the one with the highest that can go on does, and
 * at {@code depth - 1} random steps the one that is running falls below all others. A bug that needs d ordering
 * constraints is found in one run with probability at least 1 / (n k^(d-1)), for n agents and k steps.
 *
 * <p>A thread that waits in a loop would never let the others go on; it falls below all others too, which costs the
 * guarantee for schedules in which it would have to be ahead again.
 *
 * <p>Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding
 * Bugs", ASPLOS 2010.
 */
public final class PctScheduler implements Scheduler {
    private final SplittableRandom random;
    private final List<Integer> changes = new ArrayList<>();
    private final List<Long> priorities = new ArrayList<>();
    private long lowest;
    private int step;

    /**
     * @param depth how many ordering constraints a bug may need, at least 1
     * @param steps about how many steps a run has
     */
    public PctScheduler(long seed, int depth, int steps) {
        random = new SplittableRandom(seed);
        for (int i = 1; i < depth; i++) {
            changes.add(random.nextInt(steps));
        }
    }

    @Override
    public int pick(List<? extends Agent> candidates, Agent running) {
        if (running != null && changes.contains(step)) {
            demote(running);
        }
        step++;
        int best = 0;
        for (int i = 1; i < candidates.size(); i++) {
            if (priority(candidates.get(i)) > priority(candidates.get(best))) {
                best = i;
            }
        }
        return best;
    }

    private long priority(Agent agent) {
        while (priorities.size() <= agent.number()) {
            priorities.add(1 + (random.nextLong() >>> 1));
        }
        return priorities.get(agent.number());
    }

    private void demote(Agent agent) {
        priority(agent);
        priorities.set(agent.number(), --lowest);
    }

    @Override
    public void paused(Agent agent) {
        demote(agent);
    }

    @Override
    public int choose(int bound) {
        return random.nextInt(bound);
    }
}
