// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Enumerates the schedules of a small scenario.
 *
 * <pre>{@code
 * ExhaustiveSearch search = new ExhaustiveSearch();
 * while (search.hasNext()) {
 *     scenario.run(Schedule.of(0, search.next()));
 * }
 * boolean isComplete = search.bounds().isEmpty();
 * }</pre>
 *
 * <p>A <em>choice</em> selects the agent that goes on, wherever that can affect the code under test: among {@linkplain
 * Simulator#expose exposed} threads and the lanes that work for them. All other agents, such as those that start or
 * monitor nodes, go first, in a fixed order. The behaviour of memory ({@link Weakness}) is a choice too, at every step
 * of such a lane that allows several. Each of them is tried, so switch off weaknesses that do not matter to the
 * scenario.
 *
 * <p>The choices cover all interleavings, because every thread and lane that has something to do is a candidate, and
 * time decides nothing:
 *
 * <ul>
 *   <li>A thread can go on at once, or after any number of steps of others. What it does until it waits is one step:
 *       others notice nothing of it but the requests that it posts, which lanes execute.
 *   <li>Threads begin {@linkplain Simulator#startTogether together}. So each can be the first to go on, and each can
 *       end before another begins.
 *   <li>A thread that pauses or sleeps remains a candidate. When it is picked, the clock jumps to the end of its pause.
 *       So a pause can end before or after any step of others.
 *   <li>A lane executes a request, one word of it or one half of an atomic, or places a word: whatever the contract of
 *       the fabric allows at that moment. So requests arrive in any order and at any time.
 * </ul>
 *
 * <p>{@link #bounds} lists what a search leaves out. A search without bounds is complete. Loops of polls would make it
 * infinite: a thread that pauses a second time although nothing has changed waits for a change, or until nothing else
 * can happen.
 *
 * <p>Of several schedules that differ only in the order of steps without conflicts, one is enough, since all of them
 * have the same results. Two steps conflict if they access the same word and one of them changes it, if one of them
 * posts or completes a request of the other, or if both are steps of threads, which may share Java objects. Threads
 * that {@linkplain Simulator#sharesOnlyRecords share only records} conflict when one records a call and the other a
 * return.
 *
 * <p>With a bound of preemptions, the search returns every schedule with at most so many. A thread that waits for a
 * completion counts as running while a lane works on it. A <em>preemption</em> is the choice of any other thread or
 * lane meanwhile. While a thread pauses or sleeps, or once it has ended, every choice is free. Most bugs need very few
 * preemptions, and with a bound the number of schedules is polynomial in the number of steps.
 *
 * <p>Sources: Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order reduction", POPL 2014, algorithm 1
 * (source sets and sleep sets), after Flanagan, Godefroid, "Dynamic partial-order reduction for model checking
 * software", POPL 2005; for preemptions Musuvathi, Qadeer, "Iterative context bounding for systematic testing of
 * multithreaded programs", PLDI 2007 (the checker CHESS).
 */
public final class ExhaustiveSearch implements Iterator<Scheduler> {
    /** The number of choices of agents in a run, after which the rest of it is no choice. */
    private static final int MAX_STEPS = 5_000;

    private static final int UNBOUNDED = -1;

    /** The word that stands for the Java objects of all threads. */
    private static final long JAVA_OBJECTS = -1;

    private final int maxPreemptions;
    private final Set<Bound> bounds = EnumSet.noneOf(Bound.class);

    /** The decisions of the run. A run repeats those of the previous one except for the last. */
    private final List<Decision> decisions = new ArrayList<>();

    /** How many decisions the current run has made. */
    private int made;

    private @Nullable Run current;
    private long runs;

    /** All schedules, without those that differ only in the order of steps that do not conflict. */
    public ExhaustiveSearch() {
        maxPreemptions = UNBOUNDED;
    }

    /**
     * All schedules with few preemptions.
     *
     * @param maxPreemptions per run, at least 0
     */
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

    /** What has been left out so far; nothing, if a search that has ended is complete. */
    public Set<Bound> bounds() {
        return Set.copyOf(bounds);
    }

    /**
     * The {@link #bounds} in words and, if schedules are left, how many were tried. Empty if the search is complete. To
     * be called after the run of the last schedule has ended.
     */
    public List<String> leftOut() {
        List<String> leftOut = new ArrayList<>();
        if (hasNext()) {
            leftOut.add("only the first " + runs + " schedules");
        }
        bounds.forEach(bound -> leftOut.add(bound.toString()));
        return leftOut;
    }

    /** Whether there is another schedule. To be called after the run of the previous one has ended. */
    @Override
    public boolean hasNext() {
        endRun();
        return runs == 0 || decisions.stream().anyMatch(Decision::hasNext);
    }

    /** The next schedule, for one run. */
    @Override
    public Scheduler next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all " + runs + " schedules have been given out");
        }
        if (runs > 0) {
            while (!decisions.get(decisions.size() - 1).hasNext()) {
                decisions.remove(decisions.size() - 1);
            }
            decisions.get(decisions.size() - 1).next();
        }
        runs++;
        made = 0;
        current = new Run();
        return current;
    }

    private void endRun() {
        if (current != null) {
            current.endStep();
            current = null;
            decisions.subList(made, decisions.size()).clear(); // if the run has failed early
        }
    }

    private static IllegalStateException unrepeatable(int number, Object now, Object before) {
        return new IllegalStateException("choice " + number + " is now one of " + now + ", and was one of " + before
                + ": the run depends on something besides the schedule");
    }

    private int decide(int among) {
        if (among == 1) {
            return 0;
        }
        if (made == decisions.size()) {
            decisions.add(new Decision.OneOf(among));
        }
        if (!(decisions.get(made) instanceof Decision.OneOf choice) || choice.among() != among) {
            throw unrepeatable(made, among, decisions.get(made));
        }
        made++;
        return choice.taken();
    }

    /** One run: repeats the decisions made before, then takes the first alternative of every choice. */
    private final class Run implements Enumeration {
        private final List<Integer> choices = new ArrayList<>();
        private final Races races = new Races();
        private @Nullable Agent thread;
        private int preemptions;
        private int others;
        private int picks;

        /** Whether the rest of the run is no choice. */
        private boolean hasNoChoice;

        private boolean shareObjects = true;

        /** The Compute Nodes of threads, whose objects those of one node share. */
        private final List<SimNode> homes = new ArrayList<>();

        /** Whether the agent that goes on is exposed. */
        private boolean isExposed;

        private @Nullable Branch branch;
        private @Nullable Footprint footprint;
        private long own;
        private Map<Integer, Footprint> asleep = new TreeMap<>();

        @Override
        public int pick(List<? extends Agent> candidates, @Nullable Agent running) {
            endStep();
            isExposed = false;
            collect(candidates, false);
            if (choices.isEmpty()) {
                collect(candidates, true);
                isExposed = !choices.isEmpty();
            }
            if (!isExposed) {
                return inTurn(candidates);
            }
            if (++picks > MAX_STEPS) {
                leavesOut(Bound.STEPS);
                hasNoChoice = true;
            }
            int picked = hasNoChoice
                    ? inTurn(candidates)
                    : maxPreemptions == UNBOUNDED ? pickFromBranch(candidates) : pickFromAll(candidates);
            if (candidates.get(picked) instanceof SimTask task) {
                thread = task;
            }
            return picked;
        }

        private int inTurn(List<? extends Agent> candidates) {
            return choices.isEmpty() ? others++ % candidates.size() : choices.get(others++ % choices.size());
        }

        private void collect(List<? extends Agent> candidates, boolean exposed) {
            choices.clear();
            for (int i = 0; i < candidates.size(); i++) {
                Agent candidate = candidates.get(i);
                if (candidate.isExposed() == exposed && !candidate.isPostponed() && !candidate.isBlocked()) {
                    choices.add(i);
                }
            }
        }

        // ------------------------------------------------------------------------------------ bounded preemptions

        private int pickFromAll(List<? extends Agent> candidates) {
            int free = goingOnFirst(candidates);
            boolean mayPreempt = free == 0 || preemptions < maxPreemptions;
            if (!mayPreempt && free < choices.size()) {
                leavesOut(Bound.PREEMPTIONS);
            }
            int decision = decide(mayPreempt ? choices.size() : free);
            if (free > 0 && decision >= free) {
                preemptions++;
            }
            return choices.get(decision);
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

        // ------------------------------------------------------------------------------------ reduction

        private int pickFromBranch(List<? extends Agent> candidates) {
            BitSet enabled = new BitSet();
            BitSet blocked = new BitSet();
            for (Agent candidate : candidates) {
                if (candidate.isExposed() && !candidate.isPostponed()) {
                    (candidate.isBlocked() ? blocked : enabled).set(candidate.number());
                }
            }
            BitSet present = (BitSet) enabled.clone();
            present.or(blocked);
            races.present(present);
            goingOnFirst(candidates);
            if (made == decisions.size()) {
                int first = firstAwake(candidates);
                if (first < 0) { // a schedule with the same results was returned before
                    hasNoChoice = true;
                    return inTurn(candidates);
                }
                decisions.add(new Branch(enabled, blocked, asleep, first));
            }
            if (!(decisions.get(made) instanceof Branch at) || !at.enabled().equals(enabled)) {
                throw unrepeatable(made, enabled, decisions.get(made));
            }
            made++;
            int index = indexOf(at.taken(), candidates);
            begin(candidates.get(index), at);
            return index;
        }

        private int firstAwake(List<? extends Agent> candidates) {
            for (int choice : choices) {
                int number = candidates.get(choice).number();
                if (!asleep.containsKey(number)) {
                    return number;
                }
            }
            return -1;
        }

        private static int indexOf(int number, List<? extends Agent> candidates) {
            int index = 0;
            while (candidates.get(index).number() != number) {
                index++;
            }
            return index;
        }

        private static long wordOf(Agent agent) {
            return JAVA_OBJECTS - 1 - agent.number();
        }

        /** The word that stands for the Java objects of the threads of a node. */
        private long wordOf(@Nullable SimNode home) {
            if (home == null) {
                return JAVA_OBJECTS;
            }
            if (!homes.contains(home)) {
                homes.add(home);
            }
            return Long.MIN_VALUE / 2 + homes.indexOf(home);
        }

        private void begin(Agent agent, Branch at) {
            branch = at;
            own = wordOf(agent);
            footprint = races.begin(agent.number(), at);
            footprint.add(own, true);
            if (agent instanceof SimTask task) {
                footprint.add(shareObjects ? JAVA_OBJECTS : wordOf(task.home), true);
            }
        }

        /** Ends the step of the agent that was picked last. */
        private void endStep() {
            if (footprint != null && branch != null) {
                races.end(own);
                branch.accessed(footprint);
                asleep = branch.asleepAfter(footprint);
            }
            footprint = null;
        }

        @Override
        public void accessed(long word, boolean changes) {
            if (footprint != null) {
                footprint.add(word, changes);
            }
        }

        @Override
        public void affected(Agent other) {
            accessed(wordOf(other), true);
        }

        @Override
        public void locks(long word) {
            if (footprint != null) {
                footprint.lock(word);
            }
        }

        @Override
        public void unlocks(long word) {
            if (footprint != null) {
                footprint.unlock(word);
            }
        }

        @Override
        public void sharesOnlyRecords() {
            shareObjects = false;
        }

        @Override
        public void called() {
            if (footprint != null) {
                footprint.call();
            }
        }

        @Override
        public void returned() {
            if (footprint != null) {
                footprint.returned();
            }
        }

        // ------------------------------------------------------------------------------------ both

        @Override
        public int choose(int bound) {
            return isExposed && !hasNoChoice ? decide(bound) : 0;
        }

        @Override
        public void paused(Agent agent) {
            if (agent == thread) {
                thread = null; // any choice is free now
            }
        }

        @Override
        public void leavesOut(Bound bound) {
            bounds.add(bound);
        }
    }
}
