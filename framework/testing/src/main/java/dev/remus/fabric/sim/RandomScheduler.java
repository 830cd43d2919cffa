// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Selects every runnable task with equal probability. */
public final class RandomScheduler implements Scheduler {
    private final SplittableRandom random;

    /** @param seed determines all picks and choices */
    public RandomScheduler(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public int pick(List<? extends Agent> candidates, @Nullable Agent running) {
        return random.nextInt(candidates.size());
    }

    @Override
    public int choose(int bound) {
        return random.nextInt(bound);
    }
}
