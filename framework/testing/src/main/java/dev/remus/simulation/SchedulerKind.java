package dev.remus.simulation;

import dev.remus.fabric.sim.ExhaustiveSearch;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** How it is decided who goes on, for those who run many schedules and name it by a word. */
public enum SchedulerKind {
    /** Everybody is equally likely to go on, at each step. */
    RANDOM,
    /** By random priorities, of which few change: finds what needs few, but unlikely, changes of the running thread. */
    PCT,
    /** All schedules of a small scenario that have few preemptions, in a fixed order; seeds play no part. */
    EXHAUSTIVE;

    private static final int DEEPEST = 5;
    private static final int TYPICAL_STEPS = 3_000;

    /**
     * Schedules with all weaknesses of memory and without faults, one after the other.
     *
     * @param first the seed of the first schedule; those behind it have the next ones
     * @param preemptions if this is {@link #EXHAUSTIVE}, how many a schedule may have; each schedule then has to be run
     *     before the next is asked for
     */
    public Iterator<Schedule> schedules(long first, int preemptions) {
        return switch (this) {
            case RANDOM -> seeded(first, Schedule::random);
            case PCT -> seeded(first, seed -> Schedule.pct(seed, 1 + Math.floorMod(seed, DEEPEST), TYPICAL_STEPS));
            case EXHAUSTIVE -> exhaustive(new ExhaustiveSearch(preemptions));
        };
    }

    private static Iterator<Schedule> seeded(long first, LongFunction<Schedule> schedules) {
        return LongStream.iterate(first, seed -> seed + 1).mapToObj(schedules).iterator();
    }

    private static Iterator<Schedule> exhaustive(ExhaustiveSearch search) {
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

    /** The schedule of a seed, with all weaknesses and without faults; of an exhaustive search the first one. */
    public Schedule schedule(long seed) {
        return schedules(seed, 0).next();
    }

    /** The name in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
