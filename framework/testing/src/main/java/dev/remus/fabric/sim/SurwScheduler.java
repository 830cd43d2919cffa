// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Selectively uniform random walk: only the order of accesses to some words counts, and the walk is uniform over these
 * orders. Before each access to such a word, one agent is drawn that has to be the next, with a weight of how many of
 * these accesses it still has to do. All others may take any other step meanwhile, at random.
 *
 * <p>The algorithm takes the words and the numbers of accesses from earlier runs. A schedule of this simulator depends
 * on its seed alone, so both are drawn: a word counts by a hash of its number, one of 1, 2, 4, 8, 16 or 32, and all
 * agents are expected to do the same number of accesses, 1 to 128. Another agent is drawn
 * if the drawn one does not come to its access within 64 steps, or nothing else could go on.
 *
 * <p>Source: Zhao, Wolff, Mathur, Roychoudhury, "Selectively Uniform Concurrency Testing", ASPLOS 2025.
 */
public final class SurwScheduler implements Scheduler {
    private static final int NONE = -1;
    private static final int MAX_SHARE_LOG2 = 5;
    private static final int MAX_EXPECTED_LOG2 = 7;

    /** After so many steps another agent is drawn: the others may wait for one that may not go on. */
    private static final int PATIENCE = 64;

    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final SplittableRandom random;
    private final AccessPredicate interest = this::isInteresting;
    private final int share;
    private final long salt;
    private final int expected;

    /**
     * By the number of the agent: how many of the accesses that count it has still to do; 0 if it has done none yet.
     */
    private int[] left = new int[64];

    /** The agents that do such accesses, by number. */
    private int[] interesting = new int[64];

    private int known;

    /** The number of the agent that has to do the next access that counts. */
    private int drawn = NONE;

    private int patience;

    /** Whether the step before this pick was such an access. */
    private boolean hasAccessed;

    /** The candidates that may be picked, by position. */
    private int[] allowed = new int[64];

    /** @param seed determines all picks and choices, and which accesses count */
    public SurwScheduler(long seed) {
        random = new SplittableRandom(seed);
        share = random.nextInt(MAX_SHARE_LOG2 + 1);
        salt = random.nextLong();
        expected = 1 << random.nextInt(MAX_EXPECTED_LOG2 + 1);
    }

    @Override
    public int pick(List<? extends Agent> candidates, @Nullable Agent running) {
        if (hasAccessed && running != null) {
            int remaining = Math.max(1, left(running.number()) - 1); // may replace the array
            left[running.number()] = remaining;
            drawn = NONE;
            hasAccessed = false;
        }
        int free = collect(candidates);
        if (drawn == NONE || --patience == 0) {
            drawn = draw();
            patience = PATIENCE;
            free = collect(candidates);
        }
        if (free == 0) { // all could only do an access that counts, except for the one that was drawn, which cannot go
            // on
            int picked = drawReady(candidates);
            drawn = candidates.get(picked).number();
            return picked;
        }
        return allowed[random.nextInt(free)];
    }

    /** Finds the candidates that may go on, and returns how many. */
    private int collect(List<? extends Agent> candidates) {
        if (allowed.length < candidates.size()) {
            allowed = new int[2 * candidates.size()];
        }
        int free = 0;
        for (int i = 0; i < candidates.size(); i++) {
            Agent candidate = candidates.get(i);
            if (candidate.number() == drawn || !candidate.mayDoNext(interest)) {
                allowed[free++] = i;
            } else {
                meet(candidate.number());
            }
        }
        return free;
    }

    private void meet(int number) {
        if (left(number) == 0) {
            left[number] = expected;
            if (known == interesting.length) {
                interesting = Arrays.copyOf(interesting, 2 * known);
            }
            interesting[known++] = number;
        }
    }

    private int left(int number) {
        if (number >= left.length) {
            left = Arrays.copyOf(left, Math.max(number + 1, 2 * left.length));
        }
        return left[number];
    }

    /** Draws from all agents that have done or wanted to do an access that counts. */
    private int draw() {
        int sum = 0;
        for (int i = 0; i < known; i++) {
            sum += left[interesting[i]];
        }
        if (sum == 0) {
            return NONE;
        }
        int at = random.nextInt(sum);
        int i = 0;
        while (at >= left[interesting[i]]) {
            at -= left[interesting[i++]];
        }
        return interesting[i];
    }

    /** Draws from those that could do it now; returns a position. */
    private int drawReady(List<? extends Agent> candidates) {
        int sum = 0;
        for (Agent candidate : candidates) {
            sum += left[candidate.number()];
        }
        int at = random.nextInt(sum);
        int i = 0;
        while (at >= left[candidates.get(i).number()]) {
            at -= left[candidates.get(i++).number()];
        }
        return i;
    }

    private boolean isInteresting(long first, int words, boolean changes) {
        boolean found = share == 0;
        for (int i = 0; i < words && !found; i++) {
            found = counts(first + i);
        }
        return found;
    }

    private boolean counts(long word) {
        return share == 0 || ((word ^ salt) * HASH_FACTOR) >>> (Long.SIZE - share) == 0;
    }

    @Override
    public void accessed(long word, boolean changes) {
        hasAccessed |= counts(word);
    }

    @Override
    public int choose(int bound) {
        return random.nextInt(bound);
    }
}
