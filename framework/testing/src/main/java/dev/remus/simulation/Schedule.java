package dev.remus.simulation;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.PctScheduler;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.Scheduler;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.Strike;
import dev.remus.fabric.sim.Weakness;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Everything that one run in the simulator depends on, for one run: the same schedule made again gives the same run.
 *
 * @param seed decides the random numbers of nodes and threads, and where faults happen
 * @param scheduler decides who goes on
 * @param weaknesses what memory may do
 * @param faults what may go wrong
 * @param strikes what goes wrong in any case, and when
 * @param observer is shown the simulator before the run: to have it keep a trace, or to count its steps
 */
public record Schedule(
        long seed,
        Scheduler scheduler,
        Set<Weakness> weaknesses,
        Set<Fault> faults,
        List<Strike> strikes,
        Consumer<? super Simulator> observer) {
    /** Copies the sets. */
    public Schedule {
        weaknesses = Set.copyOf(weaknesses);
        faults = Set.copyOf(faults);
        strikes = List.copyOf(strikes);
    }

    /** One in which nothing goes wrong but by chance. */
    public Schedule(long seed, Scheduler scheduler, Set<Weakness> weaknesses, Set<Fault> faults) {
        this(seed, scheduler, weaknesses, faults, List.of(), simulator -> {});
    }

    /** Everybody is equally likely to go on, memory does all that it may, and nothing goes wrong. */
    public static Schedule random(long seed) {
        return of(seed, new RandomScheduler(seed));
    }

    /** As {@link PctScheduler} has it, with all weaknesses and no faults. */
    public static Schedule pct(long seed, int depth, int steps) {
        return of(seed, new PctScheduler(seed, depth, steps));
    }

    /** A schedule with all weaknesses and no faults. */
    public static Schedule of(long seed, Scheduler scheduler) {
        return new Schedule(seed, scheduler, EnumSet.allOf(Weakness.class), Set.of());
    }

    /** The same, with other weaknesses. */
    public Schedule withWeaknesses(Set<Weakness> others) {
        return new Schedule(seed, scheduler, others, faults, strikes, observer);
    }

    /** The same, with other faults. */
    public Schedule withFaults(Set<Fault> others) {
        return new Schedule(seed, scheduler, weaknesses, others, strikes, observer);
    }

    /** The same, with faults at given moments. */
    public Schedule withStrikes(Strike... others) {
        return new Schedule(seed, scheduler, weaknesses, faults, List.of(others), observer);
    }

    /** The same, with somebody who is shown the simulator before the run. */
    public Schedule observedBy(Consumer<? super Simulator> other) {
        return new Schedule(seed, scheduler, weaknesses, faults, strikes, other);
    }

    /** Random numbers for what a thread of a scenario does, or for a scenario's configuration; the same for the same seed. */
    public SplittableRandom choices(int who) {
        return new SplittableRandom(seed * 31 + who);
    }
}
