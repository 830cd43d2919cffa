package dev.remus.tools.check;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Weakness;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SchedulerKind;
import java.util.Iterator;
import java.util.Set;

/**
 * In what kind of schedules a scenario runs.
 *
 * @param scheduler how it is decided who goes on
 * @param preemptions how many a schedule may have, if the search is exhaustive
 * @param weaknesses what memory may do
 * @param faults what may go wrong
 */
record SearchConditions(SchedulerKind scheduler, int preemptions, Set<Weakness> weaknesses, Set<Fault> faults) {
    /** Whether schedules come one after the other in a fixed order, and have numbers instead of seeds. */
    boolean isExhaustive() {
        return scheduler == SchedulerKind.EXHAUSTIVE;
    }

    /** The schedules from a seed on. */
    Iterator<Schedule> schedules(long first) {
        Iterator<Schedule> schedules = scheduler.schedules(first, preemptions);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return schedules.hasNext();
            }

            @Override
            public Schedule next() {
                return schedules.next().withWeaknesses(weaknesses).withFaults(faults);
            }
        };
    }

    /** The options that stand for it, without those that are as usual. */
    String options() {
        return "--scheduler " + scheduler
                + (isExhaustive() ? " --preemptions " + preemptions : "")
                + (weaknesses.size() == Weakness.values().length ? "" : " --weaknesses " + Choices.format(weaknesses))
                + (faults.isEmpty() ? "" : " --faults " + Choices.format(faults));
    }
}
