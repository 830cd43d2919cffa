package dev.remus.tools.mutants;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Maps a seed to a scenario and a schedule, always with all weaknesses of memory. */
final class Conditions {
    private static final Set<Fault> LOSSES =
            EnumSet.of(Fault.STOPPED_THREADS, Fault.LOST_COMPUTE_NODES, Fault.BROKEN_LANES);

    /** Faults after which all threads continue, in an order that is unlikely otherwise. */
    private static final Set<Fault> DELAYS = EnumSet.of(Fault.PAUSED_THREADS, Fault.SLOW_NODES);

    /**
     * For each of the first threads, the number of waits, at random within the first hundred, whose requests are
     * delayed until another thread accesses the same word.
     */
    private static final int COLLISIONS = 6;

    private static final int WAITS_WITH_COLLISIONS = 100;
    private static final int THREADS_WITH_COLLISIONS = 4;

    /** One of this many schedules runs the scenario most specific to the mutant. */
    private static final int SPECIAL = 3;

    /** The length of the cycle of schedule kinds for a scenario. */
    private static final int ROUND = 6;

    /** For short scenarios: the number of priority changes, and the fewer steps that they are spread over. */
    private static final int SHORT_DEPTH = 4;

    private static final int SHORT_STEPS = 800;

    private Conditions() {}

    /**
     * The name of the scenario: all in turn, interleaved with the first.
     *
     * @param scenarios the scenarios that reach the mutant, most specific first
     */
    static String scenario(List<String> scenarios, long seed) {
        return seed % SPECIAL == 0 ? scenarios.get(0) : scenarios.get((int) (seed / SPECIAL % scenarios.size()));
    }

    /** The schedule: of six rounds through the scenarios, one is random, two use priorities, three have faults. */
    static Schedule schedule(List<String> scenarios, long seed) {
        return switch ((int) (seed / SPECIAL / scenarios.size() % ROUND)) {
            case 1 -> SchedulerKind.PCT.schedule(seed);
            case 4 -> Schedule.pct(seed, SHORT_DEPTH, SHORT_STEPS);
            case 2 -> SchedulerKind.RANDOM.schedule(seed).withFaults(DELAYS);
            case 3 -> SchedulerKind.RANDOM.schedule(seed).withFaults(LOSSES);
            case 5 -> SchedulerKind.RANDOM.schedule(seed).withStrikes(collisions(seed));
            default -> SchedulerKind.RANDOM.schedule(seed);
        };
    }

    private static Strike[] collisions(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, THREADS_WITH_COLLISIONS * COLLISIONS)
                .mapToObj(i -> new Strike(
                        Fault.LATE_REQUESTS, i % THREADS_WITH_COLLISIONS, 1 + random.nextInt(WAITS_WITH_COLLISIONS)))
                .toArray(Strike[]::new);
    }
}
