package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import java.util.Optional;

/**
 * The result of a {@link ScheduleSearch}.
 *
 * @param plan the search that was run
 * @param first the seed of the first schedule
 * @param wanted the requested number of schedules
 * @param done the number of schedules run
 * @param seconds the duration
 * @param finding the failure, if there is one
 */
record SearchOutcome(SearchPlan plan, long first, long wanted, long done, double seconds, Optional<Finding> finding) {
    boolean isClean() {
        return finding.isEmpty();
    }

    /** Whether every schedule was run, which only an exhaustive search can establish. */
    boolean isComplete() {
        return plan.conditions().isExhaustive() && done < wanted;
    }
}
