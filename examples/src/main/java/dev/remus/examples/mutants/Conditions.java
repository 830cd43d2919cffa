package dev.remus.examples.mutants;

import dev.remus.fabric.sim.Fault;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a seed stands for: which scenario runs, and in which schedule. Memory always does all that it may. */
final class Conditions {
    private static final Set<Fault> FAULTS =
            EnumSet.of(Fault.STOPPED_THREADS, Fault.LOST_COMPUTE_NODES, Fault.BROKEN_LANES);

    /** Of so many schedules of a scenario, one is by random priorities, and one has faults. */
    private static final int ROUND = 4;

    private Conditions() {}

    /** The name of the scenario: one after the other. */
    static String scenario(List<String> scenarios, long seed) {
        return scenarios.get((int) (seed % scenarios.size()));
    }

    /** The schedule: of four rounds through the scenarios, two are random, one is by priorities, one has faults. */
    static Schedule schedule(List<String> scenarios, long seed) {
        return switch ((int) (seed / scenarios.size() % ROUND)) {
            case 1 -> SchedulerKind.PCT.schedule(seed);
            case 3 -> SchedulerKind.RANDOM.schedule(seed).withFaults(FAULTS);
            default -> SchedulerKind.RANDOM.schedule(seed);
        };
    }
}
