package dev.remus.fabric.sim;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Partial-order sampling: each agent gets a random priority for its next step, and the ready agent with the highest
 * priority goes on. It then gets another one, and so does each ready agent whose next step may conflict with what was
 * done: may access the same word, where one of both changes it. So the order of two steps that conflict does not depend
 * much on how many steps without conflicts lie before them, as it does if every step is picked at random.
 *
 * <p>When a thread waits in a loop, all get new priorities: otherwise one with a very low priority would wait for ever
 * beside it.
 *
 * <p>Source: Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018, algorithm 1.
 */
public final class PosScheduler implements Scheduler {
    private final SplittableRandom random;
    private final AccessPredicate conflict = this::conflicts;

    /** By the number of the agent; agents from {@code known} on have none yet. */
    private long[] priorities = new long[64];

    private int known;

    /** The words accessed by the step before this pick, and whether they were changed. */
    private long[] words = new long[4];

    private boolean[] changed = new boolean[4];
    private int accesses;

    /** Whether a thread waits since the last pick. */
    private boolean hasPaused;

    /** @param seed determines all priorities and choices */
    public PosScheduler(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public int pick(List<? extends Agent> candidates, @Nullable Agent running) {
        if (running != null) {
            draw(running);
        }
        int best = 0;
        long highest = -1;
        for (int i = 0; i < candidates.size(); i++) {
            Agent candidate = candidates.get(i);
            if (hasPaused || accesses > 0 && candidate != running && candidate.mayDoNext(conflict)) {
                draw(candidate);
            }
            long priority = priority(candidate);
            if (priority > highest) {
                best = i;
                highest = priority;
            }
        }
        accesses = 0;
        hasPaused = false;
        return best;
    }

    private boolean conflicts(long first, int count, boolean changes) {
        boolean conflicts = false;
        for (int i = 0; i < accesses && !conflicts; i++) {
            long distance = words[i] - first;
            conflicts = distance >= 0 && distance < count && (changes || changed[i]);
        }
        return conflicts;
    }

    private long priority(Agent agent) {
        int number = agent.number();
        if (number >= priorities.length) {
            priorities = Arrays.copyOf(priorities, Math.max(number + 1, 2 * priorities.length));
        }
        while (known <= number) {
            priorities[known++] = random.nextLong() >>> 1;
        }
        return priorities[number];
    }

    private void draw(Agent agent) {
        priority(agent);
        priorities[agent.number()] = random.nextLong() >>> 1;
    }

    @Override
    public void accessed(long word, boolean changes) {
        if (accesses == words.length) {
            words = Arrays.copyOf(words, 2 * accesses);
            changed = Arrays.copyOf(changed, 2 * accesses);
        }
        words[accesses] = word;
        changed[accesses++] = changes;
    }

    @Override
    public void paused(Agent agent) {
        hasPaused = true;
    }

    @Override
    public int choose(int bound) {
        return random.nextInt(bound);
    }
}
