// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.fabric.sim.ExhaustiveSearch;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Weakness;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.ScheduleMix;
import dev.remus.simulation.SchedulerKind;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * The kind of schedules in which a scenario runs.
 *
 * @param scheduler the choice of the next thread
 * @param preemptions the largest number of preemptions in a schedule, if the search is exhaustive; {@link
 *     SchedulerKind#ANY_NUMBER} if there is none
 * @param weaknesses the rare behaviour of memory
 * @param faults the simulated failures; if empty, those of the scheduler: only {@link SchedulerKind#MIX} has some
 */
record SearchConditions(
        SchedulerKind scheduler, int preemptions, Set<Weakness> weaknesses, Optional<Set<Fault>> faults) {
    /** Whether schedules are enumerated in a fixed order and have numbers instead of seeds. */
    boolean isExhaustive() {
        return scheduler == SchedulerKind.EXHAUSTIVE;
    }

    /** A new exhaustive search. */
    ExhaustiveSearch search() {
        return SchedulerKind.search(preemptions);
    }

    /** The schedules of an exhaustive search. */
    Iterator<Schedule> schedules(ExhaustiveSearch search) {
        return under(SchedulerKind.schedules(search));
    }

    /** The schedules from a seed on. */
    Iterator<Schedule> schedules(long first) {
        return under(scheduler.schedules(first, preemptions));
    }

    private Iterator<Schedule> under(Iterator<Schedule> schedules) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return schedules.hasNext();
            }

            @Override
            public Schedule next() {
                Schedule plain = schedules.next();
                Schedule schedule = (isMix() ? ScheduleMix.DELAYS_AND_BREAKS.schedule(plain.seed()) : plain)
                        .withWeaknesses(weaknesses);
                return faults.map(chosen -> schedule.withoutFaults().withFaults(chosen))
                        .orElse(schedule);
            }
        };
    }

    /** Whether each seed draws a scheduler and faults. */
    boolean isMix() {
        return scheduler == SchedulerKind.MIX && faults.isEmpty();
    }

    /** The command-line options for these conditions, without most defaults. */
    String options() {
        return "--scheduler " + scheduler
                + (isExhaustive() && preemptions >= 0 ? " --preemptions " + preemptions : "")
                + (weaknesses.size() == Weakness.values().length ? "" : " --weaknesses " + Choices.format(weaknesses))
                + faults.map(chosen -> " --faults " + Choices.format(chosen)).orElse("");
    }
}
