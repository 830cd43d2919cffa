package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import dev.remus.tools.scenarios.Size;
import java.util.Optional;

/**
 * A failure with fewer threads, operations or keys, which is easier to understand.
 *
 * @param plan the search that failed
 * @param finding the failure
 */
record SmallerCase(SearchPlan plan, Finding finding) {
    private static final int SCHEDULES_EACH = 300;
    private static final int MAX_SCHEDULES = 6_000;

    /** The smallest size that fails within a few hundred schedules; empty if none of the tried sizes fails. */
    static Optional<SmallerCase> of(SearchPlan plan, int jobs) throws InterruptedException {
        int left = MAX_SCHEDULES;
        for (Size size : plan.size().smaller()) {
            SearchPlan smaller = plan.withSize(size);
            Optional<Finding> finding = new ScheduleSearch(smaller, 0, SCHEDULES_EACH).run(jobs, done -> {});
            if (finding.isPresent()) {
                return Optional.of(new SmallerCase(smaller, finding.get()));
            }
            left -= SCHEDULES_EACH;
            if (left <= 0) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
