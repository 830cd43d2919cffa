package dev.remus.fabric.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides who goes on. Must be deterministic: the same calls get the same answers. */
public interface Scheduler {
    /**
     * Picks one of those that can go on.
     *
     * @param candidates threads and lanes, at least one; always in the same order in the same situation
     * @param running who went on last, or null; not necessarily a candidate
     * @return its index
     */
    int pick(List<? extends Agent> candidates, @Nullable Agent running);

    /** A number from 0 to {@code bound} - 1, for choices that are not about who goes on. */
    int choose(int bound);

    /** Called when a thread waits for something that has not happened: others should get their turn. */
    default void paused(Agent agent) {}
}
