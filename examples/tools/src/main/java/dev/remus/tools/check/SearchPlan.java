// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import dev.remus.simulation.Schedule;
import dev.remus.tools.scenarios.NamedScenario;
import dev.remus.tools.scenarios.Size;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that determines a run, except the seed.
 *
 * @param scenario the scenario to run
 * @param size its size
 * @param conditions the kind of schedules
 */
record SearchPlan(NamedScenario scenario, Size size, SearchConditions conditions) {
    SearchPlan withSize(Size other) {
        return new SearchPlan(scenario, other, conditions);
    }

    /** Why the scenario cannot have this size; empty if it can. */
    Optional<String> refusal() {
        try {
            Objects.requireNonNull(scenario.factory().apply(size));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Runs one schedule, and returns its failure, if there is one. */
    Optional<Finding> run(Schedule schedule) {
        return Finding.in(scenario.factory().apply(size), schedule);
    }

    /**
     * The schedule of a seed or, in an exhaustive search, of a number, which requires a run of all schedules before it.
     */
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

    /** The command that replays the schedule of a seed. */
    String replayCommand(long seed) {
        return "./remus check " + scenario.name() + " --threads " + size.threads() + " --ops " + size.operations()
                + (scenario.hasKeys() ? " --keys " + size.keys() : "") + " " + conditions.options() + " --replay "
                + seed;
    }
}
