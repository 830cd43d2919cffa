// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The default choice of schedules. No scheduler and no fault is the best for every mistake, so each seed draws one of
 * the schedulers and, independently of it, the faults of its run. {@code framework/TRUST.md} has the measurements from
 * which the shares were chosen.
 */
public final class ScheduleMix {
    private static final Share<UnaryOperator<Schedule>> SKEW =
            new Share<>(10, "skewed-clocks", schedule -> schedule.withFaults(Set.of(Fault.SKEWED_CLOCKS)));

    private static final Share<UnaryOperator<Schedule>> LATE_OR_PAUSED = new Share<>(
            25,
            "paused-threads,late-requests",
            schedule -> schedule.withFaults(Set.of(Fault.PAUSED_THREADS, Fault.LATE_REQUESTS)));

    private static final Share<UnaryOperator<Schedule>> COLLISIONS =
            new Share<>(40, "late-requests again and again", ScheduleMix::withCollisions);

    private static final Share<UnaryOperator<Schedule>> BREAK =
            new Share<>(10, "broken-lanes", schedule -> schedule.withFaults(Set.of(Fault.BROKEN_LANES)));

    /** Threads and requests that are late, and clocks that differ. No operation fails. The default of a test. */
    public static final ScheduleMix DELAYS = new ScheduleMix(List.of(none(25), LATE_OR_PAUSED, COLLISIONS, SKEW));

    /** The same, and sometimes a lane that breaks, so that operations fail. The default of {@code ./remus check}. */
    public static final ScheduleMix DELAYS_AND_BREAKS =
            new ScheduleMix(List.of(none(15), LATE_OR_PAUSED, COLLISIONS, SKEW, BREAK));

    private static final long GENERATOR = 0x6D_69_78L;

    /** For each of the first threads, so many waits at random within the first ones meet a late request. */
    private static final int COLLISIONS_OF_A_THREAD = 24;

    private static final int THREADS_WITH_COLLISIONS = 4;
    private static final int WAITS_WITH_COLLISIONS = 400;

    /** The percentage of the seeds that draw something. */
    private record Share<T>(int percent, String name, T value) {}

    private static final List<Share<LongFunction<Schedule>>> SCHEDULERS = List.of(
            new Share<>(35, "pos", Schedule::pos),
            new Share<>(35, "surw", Schedule::surw),
            new Share<>(20, "pct", Schedule::pct),
            new Share<>(10, "random", Schedule::random));

    private final List<Share<UnaryOperator<Schedule>>> faults;

    private ScheduleMix(List<Share<UnaryOperator<Schedule>>> faults) {
        this.faults = faults;
    }

    private static Share<UnaryOperator<Schedule>> none(int percent) {
        return new Share<>(percent, "none", UnaryOperator.identity());
    }

    /** The schedule of a seed, with all weaknesses. */
    public Schedule schedule(long seed) {
        return disturbed(
                draw(SCHEDULERS, new SplittableRandom(seed ^ GENERATOR)).apply(seed));
    }

    /** Returns a schedule with the faults that the mix has for its seed. */
    public Schedule disturbed(Schedule schedule) {
        return draw(faults, new SplittableRandom(schedule.seed() ^ ~GENERATOR)).apply(schedule);
    }

    /** The shares, such as "35 % pos, 65 % surw; faults: 30 % none, 70 % skewed-clocks". */
    public String shares() {
        return shares(SCHEDULERS) + "; faults: " + shares(faults);
    }

    private static String shares(List<? extends Share<?>> shares) {
        return shares.stream()
                .map(share -> String.format(Locale.ROOT, "%d %% %s", share.percent(), share.name()))
                .collect(Collectors.joining(", "));
    }

    private static <T> T draw(List<Share<T>> shares, SplittableRandom random) {
        int at = random.nextInt(100);
        int i = 0;
        while (at >= shares.get(i).percent()) {
            at -= shares.get(i++).percent();
        }
        return shares.get(i).value();
    }

    private static Schedule withCollisions(Schedule schedule) {
        SplittableRandom random = new SplittableRandom(schedule.seed());
        return schedule.withStrikes(IntStream.range(0, THREADS_WITH_COLLISIONS * COLLISIONS_OF_A_THREAD)
                .mapToObj(i -> new Strike(
                        Fault.LATE_REQUESTS, i % THREADS_WITH_COLLISIONS, 1 + random.nextInt(WAITS_WITH_COLLISIONS)))
                .toArray(Strike[]::new));
    }
}
