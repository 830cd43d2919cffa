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

/** What a seed stands for: which scenario runs, and in which schedule. Memory always does all that it may. */
final class Conditions {
    private static final Set<Fault> LOSSES =
            EnumSet.of(Fault.STOPPED_THREADS, Fault.LOST_COMPUTE_NODES, Fault.BROKEN_LANES);

    /** After these everything goes on, in an order that is unlikely without them. */
    private static final Set<Fault> DELAYS = EnumSet.of(Fault.PAUSED_THREADS, Fault.SLOW_NODES);

    /** So often, somewhere in that many waits of each of so many threads, requests are late until others come to the same word. */
    private static final int MEETINGS = 6;

    private static final int WAITS_WITH_MEETINGS = 100;
    private static final int THREADS_WITH_MEETINGS = 4;

    /** Of so many schedules, one is of the scenario that was made for what the mutant changes. */
    private static final int SPECIAL = 3;

    /** Of so many schedules of a scenario, some are by random priorities, and some have faults. */
    private static final int ROUND = 6;

    /** For short scenarios: as many changes of priority in fewer steps. */
    private static final int SHORT_DEPTH = 4;

    private static final int SHORT_STEPS = 800;

    private Conditions() {}

    /**
     * The name of the scenario: one after the other, and in between again and again the first.
     *
     * @param scenarios those that reach the mutant, first the one that reaches the fewest others
     */
    static String scenario(List<String> scenarios, long seed) {
        return seed % SPECIAL == 0 ? scenarios.get(0) : scenarios.get((int) (seed / SPECIAL % scenarios.size()));
    }

    /** The schedule: of six rounds through the scenarios, one is random, two are by priorities, three have faults. */
    static Schedule schedule(List<String> scenarios, long seed) {
        return switch ((int) (seed / SPECIAL / scenarios.size() % ROUND)) {
            case 1 -> SchedulerKind.PCT.schedule(seed);
            case 4 -> Schedule.pct(seed, SHORT_DEPTH, SHORT_STEPS);
            case 2 -> SchedulerKind.RANDOM.schedule(seed).withFaults(DELAYS);
            case 3 -> SchedulerKind.RANDOM.schedule(seed).withFaults(LOSSES);
            case 5 -> SchedulerKind.RANDOM.schedule(seed).withStrikes(meetings(seed));
            default -> SchedulerKind.RANDOM.schedule(seed);
        };
    }

    private static Strike[] meetings(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, THREADS_WITH_MEETINGS * MEETINGS)
                .mapToObj(i -> new Strike(
                        Fault.LATE_REQUESTS, i % THREADS_WITH_MEETINGS, 1 + random.nextInt(WAITS_WITH_MEETINGS)))
                .toArray(Strike[]::new);
    }
}
