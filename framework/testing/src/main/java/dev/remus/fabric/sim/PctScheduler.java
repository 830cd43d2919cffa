// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Probabilistic concurrency testing: each agent gets a random priority, and the ready agent with the highest priority
 * goes on. At {@code depth - 1} random steps, the running agent falls below all others. A bug that needs d ordering
 * constraints is found in one run with probability at least 1 / (n k^(d-1)), for n agents and k steps.
 *
 * <p>A thread that waits in a loop would never let the others go on, so it falls below all others too. That voids the
 * guarantee for schedules in which it would have to be ahead again.
 *
 * <p>A run that has become far longer than expected may consist of threads that disturb each other without end. From
 * there on every ready agent is equally likely to go on, so that a run that still does not end is at fault itself.
 *
 * <p>Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of
 * Finding Bugs", ASPLOS 2010.
 */
public final class PctScheduler implements Scheduler {
    /** After so many times the expected number of steps, priorities count no more. */
    private static final int PATIENCE = 16;

    private final SplittableRandom random;
    private final long fairFrom;

    /** The steps at which the running agent falls below all others, in ascending order. */
    private final int[] changes;

    private int nextChange;

    private final Priorities priorities;
    private long lowest;
    private long step;

    /**
     * @param depth how many ordering constraints a bug may need, at least 1
     * @param steps the approximate number of steps of a run
     */
    public PctScheduler(long seed, int depth, int steps) {
        random = new SplittableRandom(seed);
        priorities = new Priorities(random);
        if (depth < 1 || steps < 1) {
            throw new IllegalArgumentException("depth " + depth + ", steps " + steps + ": both need to be at least 1");
        }
        fairFrom = (long) PATIENCE * steps;
        changes = new int[depth - 1];
        for (int i = 0; i < changes.length; i++) {
            changes[i] = random.nextInt(steps);
        }
        Arrays.sort(changes);
    }

    @Override
    public int pick(List<? extends Agent> candidates, @Nullable Agent running) {
        if (isChange() && running != null) {
            demote(running);
        }
        if (step++ >= fairFrom) {
            return random.nextInt(candidates.size());
        }
        return priorities.highest(candidates);
    }

    private boolean isChange() {
        boolean change = false;
        while (nextChange < changes.length && changes[nextChange] == step) {
            nextChange++;
            change = true;
        }
        return change;
    }

    private void demote(Agent agent) {
        priorities.set(agent, --lowest);
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
