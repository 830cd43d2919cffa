// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.PctScheduler;
import dev.remus.fabric.sim.PosScheduler;
import dev.remus.fabric.sim.RandomScheduler;
import dev.remus.fabric.sim.Scheduler;
import dev.remus.fabric.sim.Simulator;
import dev.remus.fabric.sim.Strike;
import dev.remus.fabric.sim.SurwScheduler;
import dev.remus.fabric.sim.Weakness;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Everything that determines one run in the simulator. A schedule is for one run; an equal new schedule gives the same
 * run.
 *
 * @param seed determines the random numbers of nodes and threads, and the places of faults
 * @param scheduler decides which thread goes on
 * @param weaknesses the weaknesses that memory may show
 * @param faults the faults that may happen
 * @param strikes the faults that certainly happen, and when
 * @param observer receives the simulator before the run, for instance to keep a trace or to count steps
 */
public record Schedule(
        long seed,
        Scheduler scheduler,
        Set<Weakness> weaknesses,
        Set<Fault> faults,
        List<Strike> strikes,
        Consumer<? super Simulator> observer) {
    private static final int DEEPEST = 5;
    private static final int TYPICAL_STEPS = 3_000;

    /** Copies the sets. */
    public Schedule {
        weaknesses = Set.copyOf(weaknesses);
        faults = Set.copyOf(faults);
        strikes = List.copyOf(strikes);
    }

    /** A schedule with faults that happen only by chance. */
    public Schedule(long seed, Scheduler scheduler, Set<Weakness> weaknesses, Set<Fault> faults) {
        this(seed, scheduler, weaknesses, faults, List.of(), simulator -> {});
    }

    /** A schedule in which all threads are equally likely to go on, with all weaknesses and no faults. */
    public static Schedule random(long seed) {
        return of(seed, new RandomScheduler(seed));
    }

    /** A schedule of a {@link PctScheduler}, with all weaknesses and no faults. */
    public static Schedule pct(long seed, int depth, int steps) {
        return of(seed, new PctScheduler(seed, depth, steps));
    }

    /** The same, with a depth of 1 to 5, which depends on the seed, and the steps of a typical scenario. */
    static Schedule pct(long seed) {
        return pct(seed, 1 + Math.floorMod(seed, DEEPEST), TYPICAL_STEPS);
    }

    /** A schedule of a {@link PosScheduler}, with all weaknesses and no faults. */
    static Schedule pos(long seed) {
        return of(seed, new PosScheduler(seed));
    }

    /** A schedule of a {@link SurwScheduler}, with all weaknesses and no faults. */
    static Schedule surw(long seed) {
        return of(seed, new SurwScheduler(seed));
    }

    /** A schedule with all weaknesses and no faults. */
    public static Schedule of(long seed, Scheduler scheduler) {
        return new Schedule(seed, scheduler, EnumSet.allOf(Weakness.class), Set.of());
    }

    /** Returns this schedule with other weaknesses. */
    public Schedule withWeaknesses(Set<Weakness> others) {
        return new Schedule(seed, scheduler, others, faults, strikes, observer);
    }

    /** Returns this schedule with other faults. */
    public Schedule withFaults(Set<Fault> others) {
        return new Schedule(seed, scheduler, weaknesses, others, strikes, observer);
    }

    /** Returns this schedule without faults, neither by chance nor at given moments. */
    public Schedule withoutFaults() {
        return withFaults(Set.of()).withStrikes();
    }

    /** Returns this schedule with faults at given moments. */
    public Schedule withStrikes(Strike... others) {
        return new Schedule(seed, scheduler, weaknesses, faults, List.of(others), observer);
    }

    /** Returns this schedule with an observer, which receives the simulator before the run. */
    public Schedule observedBy(Consumer<? super Simulator> other) {
        return new Schedule(seed, scheduler, weaknesses, faults, strikes, other);
    }

    /** Returns this schedule with Compute Threads that use lanes as virtual threads do. */
    public Schedule withVirtualThreads() {
        return observedBy(simulator -> {
            observer.accept(simulator);
            simulator.withVirtualThreads();
        });
    }

    /** Random numbers for a thread of a scenario, or for its configuration; equal seeds give equal numbers. */
    public SplittableRandom choices(int who) {
        return new SplittableRandom(seed * 31 + who);
    }
}
