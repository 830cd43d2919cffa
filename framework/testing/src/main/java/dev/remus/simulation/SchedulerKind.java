// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import dev.remus.fabric.sim.ExhaustiveSearch;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** The kinds of schedulers, which decide which thread goes on. Each is named by one word. */
public enum SchedulerKind {
    /** Each seed draws one of the others and the faults of its run, as {@link ScheduleMix#DELAYS} says. */
    MIX,
    /** All threads are equally likely to go on at each step. */
    RANDOM,
    /**
     * Random priorities, few of which change, find failures that need few but unlikely changes of the running thread.
     */
    PCT,
    /** Random priorities that are drawn anew after each step and each conflict: partial-order sampling. */
    POS,
    /** A random walk that is uniform over the orders of the accesses to some words, which the seed selects. */
    SURW,
    /** All schedules of a small scenario that may differ in their outcome, in a fixed order; seeds play no part. */
    EXHAUSTIVE;

    /** The number of preemptions of an exhaustive search without a bound of them. */
    public static final int ANY_NUMBER = -1;

    /**
     * Returns schedules with all weaknesses of memory, one after the other. Only those of {@link #MIX} have faults.
     *
     * @param first the seed of the first schedule; the others have the following seeds
     * @param preemptions for {@link #EXHAUSTIVE}, as for {@link #search}; each schedule must then run before the next
     *     is requested
     */
    public Iterator<Schedule> schedules(long first, int preemptions) {
        return switch (this) {
            case MIX -> seeded(first, ScheduleMix.DELAYS::schedule);
            case RANDOM -> seeded(first, Schedule::random);
            case PCT -> seeded(first, Schedule::pct);
            case POS -> seeded(first, Schedule::pos);
            case SURW -> seeded(first, Schedule::surw);
            case EXHAUSTIVE -> schedules(search(preemptions));
        };
    }

    private static Iterator<Schedule> seeded(long first, LongFunction<Schedule> schedules) {
        return LongStream.iterate(first, seed -> seed + 1).mapToObj(schedules).iterator();
    }

    /**
     * Returns an exhaustive search.
     *
     * @param preemptions the largest number of a schedule, or {@link #ANY_NUMBER}
     */
    public static ExhaustiveSearch search(int preemptions) {
        return preemptions == ANY_NUMBER ? new ExhaustiveSearch() : new ExhaustiveSearch(preemptions);
    }

    /** Returns the schedules of an exhaustive search, with all weaknesses and without faults. */
    public static Iterator<Schedule> schedules(ExhaustiveSearch search) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return search.hasNext();
            }

            @Override
            public Schedule next() {
                return Schedule.of(0, search.next());
            }
        };
    }

    /**
     * The schedule of a seed, with all weaknesses; only that of {@link #MIX} may have faults. For an exhaustive search,
     * the first one.
     */
    public Schedule schedule(long seed) {
        return schedules(seed, 0).next();
    }

    /** The name in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
