// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import java.util.List;
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
 * @param leftOut what an exhaustive search has not tried
 */
record SearchOutcome(
        SearchPlan plan,
        long first,
        long wanted,
        long done,
        double seconds,
        Optional<Finding> finding,
        List<String> leftOut) {
    boolean isClean() {
        return finding.isEmpty();
    }

    /** Whether a search by seeds ended early without a finding, since it was stopped. */
    boolean isStopped() {
        return isClean() && !plan.conditions().isExhaustive() && done < wanted;
    }

    /** Whether no schedule can have another outcome, which only an exhaustive search can establish. */
    boolean isComplete() {
        return plan.conditions().isExhaustive() && isClean() && leftOut.isEmpty();
    }
}
