package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import java.util.Optional;

/**
 * What came out of a {@link ScheduleSearch}.
 *
 * @param plan what was searched
 * @param first the seed of the first schedule
 * @param wanted how many schedules were asked for
 * @param done how many were run
 * @param seconds how long that took
 * @param finding what went wrong, if anything did
 */
record SearchOutcome(SearchPlan plan, long first, long wanted, long done, double seconds, Optional<Finding> finding) {
    boolean isClean() {
        return finding.isEmpty();
    }

    /** Whether there is no schedule that was not run: known only of an exhaustive search. */
    boolean isComplete() {
        return plan.conditions().isExhaustive() && done < wanted;
    }
}
