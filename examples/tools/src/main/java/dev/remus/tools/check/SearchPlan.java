package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.Size;
import java.util.Iterator;
import java.util.Optional;

/**
 * All that decides what happens, but for the seed.
 *
 * @param scenario what runs
 * @param size how large
 * @param conditions in what kind of schedules
 */
record SearchPlan(NamedScenario scenario, Size size, SearchConditions conditions) {
    SearchPlan withSize(Size other) {
        return new SearchPlan(scenario, other, conditions);
    }

    /** Runs one schedule; what went wrong, if anything did. */
    Optional<Finding> run(Schedule schedule) {
        return Finding.in(scenario.factory().apply(size), schedule);
    }

    /** The schedule of a seed; in an exhaustive search that of a number, which takes running all those before it. */
    Schedule schedule(long seed) {
        if (!conditions.isExhaustive()) {
            return conditions.schedules(seed).next();
        }
        Iterator<Schedule> schedules = conditions.schedules(0);
        for (long number = 0; number < seed; number++) {
            run(schedules.next());
        }
        return schedules.next();
    }

    /** What to type to see the schedule of a seed again. */
    String replayCommand(long seed) {
        return "./remus check " + scenario.name() + " --threads " + size.threads() + " --ops " + size.operations()
                + (scenario.hasKeys() ? " --keys " + size.keys() : "") + " " + conditions.options() + " --replay "
                + seed;
    }
}
