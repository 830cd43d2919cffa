package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * All schedules of a small scenario that have at most a given number of preemptions, one after the other. Most bugs
 * need very few preemptions, and with a bound the number of schedules is polynomial in the number of steps.
 *
 * <pre>{@code
 * for (ExhaustiveSearch search = new ExhaustiveSearch(2); search.hasNext(); ) {
 *     scenario.run(Schedule.of(0, search.next()));
 * }
 * }</pre>
 *
 * <p>What counts:
 *
 * <ul>
 *   <li>A <em>choice</em> is who goes on, wherever that can make a difference to those under test: among {@linkplain
 *       Simulator#expose exposed} threads and the lanes that work for them. Whatever else can go on, such as the start
 *       of the nodes or what watches over them, goes first, in a fixed order. What memory does ({@link Weakness}) is a
 *       choice at every step at which it may do one thing or another, and each is tried, whatever the bound; switch
 *       weaknesses off that the scenario is not about.
 *   <li>A thread that waits for a completion is still going on as long as a lane works on that. A <em>preemption</em>
 *       is the choice of any other thread or lane while it is. Where a thread pauses, sleeps or has ended, any choice
 *       is free.
 *   <li>How long a thread pauses is the simulator's decision, not a choice.
 * </ul>
 *
 * <p>Source: Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI
 * 2007 (the checker CHESS).
 */
public final class ExhaustiveSearch implements Iterator<Scheduler> {
    private final int maxPreemptions;

    /** The decisions of the run: at each choice which of how many. A run repeats the last one but for its end. */
    private int[] decided = new int[64];

    private int[] options = new int[64];
    private int length;

    /** How many decisions the current run has made. */
    private int made;

    private long runs;

    /** @param maxPreemptions per run, at least 0 */
    public ExhaustiveSearch(int maxPreemptions) {
        if (maxPreemptions < 0) {
            throw new IllegalArgumentException(maxPreemptions + " preemptions: needs at least 0");
        }
        this.maxPreemptions = maxPreemptions;
    }

    /** How many schedules it has given out. */
    public long runs() {
        return runs;
    }

    /** Whether there is another schedule. To be asked when the run with the last one has ended. */
    @Override
    public boolean hasNext() {
        if (runs == 0) {
            return true;
        }
        for (int i = made - 1; i >= 0; i--) {
            if (decided[i] + 1 < options[i]) {
                return true;
            }
        }
        return false;
    }

    /** The next schedule, for one run. */
    @Override
    public Scheduler next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all " + runs + " schedules have been given out");
        }
        if (runs > 0) {
            length = made;
            while (decided[length - 1] + 1 == options[length - 1]) {
                length--;
            }
            decided[length - 1]++;
        }
        runs++;
        made = 0;
        return new Run();
    }

    private int decide(int among) {
        if (among == 1) {
            return 0;
        }
        if (made == length) {
            if (length == decided.length) {
                decided = Arrays.copyOf(decided, 2 * length);
                options = Arrays.copyOf(options, 2 * length);
            }
            decided[length] = 0;
            options[length] = among;
            length++;
        } else if (options[made] != among) {
            throw new IllegalStateException("choice " + made + " is now one of " + among + ", and was one of "
                    + options[made] + ": the run depends on something besides the schedule");
        }
        return decided[made++];
    }

    /** One run: does what has been decided, and goes on with the first of everything. */
    private final class Run implements Scheduler {
        private final List<Integer> choices = new ArrayList<>();
        private @Nullable Agent thread;
        private int preemptions;
        private int others;

        @Override
        public int pick(List<? extends Agent> candidates, @Nullable Agent running) {
            collect(candidates, false);
            if (!choices.isEmpty()) {
                return choices.get(others++ % choices.size());
            }
            collect(candidates, true);
            int free = goingOnFirst(candidates);
            boolean mayPreempt = free == 0 || preemptions < maxPreemptions;
            int decision = decide(mayPreempt ? choices.size() : free);
            if (free > 0 && decision >= free) {
                preemptions++;
            }
            int picked = choices.get(decision);
            if (candidates.get(picked) instanceof SimTask task) {
                thread = task;
            }
            return picked;
        }

        private void collect(List<? extends Agent> candidates, boolean exposed) {
            choices.clear();
            for (int i = 0; i < candidates.size(); i++) {
                if (candidates.get(i).isExposed() == exposed) {
                    choices.add(i);
                }
            }
        }

        /** Moves what is part of the thread that went on last to the front, and says how many choices that are. */
        private int goingOnFirst(List<? extends Agent> candidates) {
            int count = 0;
            for (int i = 0; thread != null && i < choices.size(); i++) {
                if (candidates.get(choices.get(i)).isPartOf(thread)) {
                    choices.add(count++, choices.remove(i));
                }
            }
            return count;
        }

        @Override
        public int choose(int bound) {
            return decide(bound);
        }
    }
}
