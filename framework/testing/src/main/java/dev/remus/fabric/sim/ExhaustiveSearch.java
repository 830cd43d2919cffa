package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Enumerates the schedules of a small scenario that have at most a given number of preemptions. Most bugs need very few
 * preemptions, and with a bound the number of schedules is polynomial in the number of steps.
 *
 * <pre>{@code
 * for (ExhaustiveSearch search = new ExhaustiveSearch(2); search.hasNext(); ) {
 *     scenario.run(Schedule.of(0, search.next()));
 * }
 * }</pre>
 *
 * <p>Definitions:
 *
 * <ul>
 *   <li>A <em>choice</em> selects the agent that goes on, wherever that can affect the code under test: among
 *       {@linkplain Simulator#expose exposed} threads and the lanes that work for them. All other agents, such as those
 *       that start or monitor nodes, go first, in a fixed order. The behaviour of memory ({@link Weakness}) is a choice
 *       too, at every step that allows several. Each of them is tried, whatever the bound, so switch off weaknesses
 *       that do not matter to the scenario.
 *   <li>A thread that waits for a completion counts as running while a lane works on it. A <em>preemption</em> is the
 *       choice of any other thread or lane meanwhile. While a thread pauses or sleeps, or once it has ended, every
 *       choice is free.
 *   <li>How long a thread pauses is the simulator's decision, not a choice.
 * </ul>
 *
 * <p>Source: Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI
 * 2007 (the checker CHESS).
 */
public final class ExhaustiveSearch implements Iterator<Scheduler> {
    private final int maxPreemptions;

    /**
     * The decisions of the run: the alternative taken at each choice. A run repeats the previous one except for its
     * end.
     */
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

    /** The number of schedules returned so far. */
    public long runs() {
        return runs;
    }

    /** Whether there is another schedule. To be called after the run of the previous one has ended. */
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

    /** One run: repeats the decisions made before, then takes the first alternative of every choice. */
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

        /** Moves the choices that are part of the thread that ran last to the front; returns their number. */
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
