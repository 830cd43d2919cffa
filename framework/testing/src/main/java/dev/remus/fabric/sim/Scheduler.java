// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which agent goes on. Must be deterministic: the same calls return the same results. */
public interface Scheduler {
    /**
     * Picks the agent that goes on.
     *
     * @param candidates threads and lanes, at least one; always in the same order in the same situation
     * @param running the agent that went on last, or null; not necessarily a candidate
     * @return its index
     */
    int pick(List<? extends Agent> candidates, @Nullable Agent running);

    /** Returns a number from 0 to {@code bound} - 1, for choices other than the agent that goes on. */
    int choose(int bound);

    /** Called when a thread waits for something that has not happened: others should get their turn. */
    default void paused(Agent agent) {}

    /**
     * Called when the agent that goes on has accessed a word of remote memory. A step may access several.
     *
     * @param word its number in the run, as in {@link AccessPredicate}
     * @param changes whether it may have changed the word
     */
    default void accessed(long word, boolean changes) {}
}
