// SPDX-License-Identifier: Apache-2.0
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

    private final Priorities priorities;

    /** The words accessed by the step before this pick, and whether they were changed. */
    private long[] words = new long[4];

    private boolean[] changed = new boolean[4];
    private int accesses;

    /** Whether a thread waits since the last pick. */
    private boolean hasPaused;

    /** @param seed determines all priorities and choices */
    public PosScheduler(long seed) {
        random = new SplittableRandom(seed);
        priorities = new Priorities(random);
    }

    @Override
    public int pick(List<? extends Agent> candidates, @Nullable Agent running) {
        if (running != null) {
            priorities.renew(running);
        }
        for (Agent candidate : candidates) {
            if (hasPaused || accesses > 0 && candidate != running && candidate.mayDoNext(conflict)) {
                priorities.renew(candidate);
            }
        }
        accesses = 0;
        hasPaused = false;
        return priorities.highest(candidates);
    }

    private boolean conflicts(long first, int count, boolean changes) {
        boolean conflicts = false;
        for (int i = 0; i < accesses && !conflicts; i++) {
            long distance = words[i] - first;
            conflicts = distance >= 0 && distance < count && (changes || changed[i]);
        }
        return conflicts;
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
