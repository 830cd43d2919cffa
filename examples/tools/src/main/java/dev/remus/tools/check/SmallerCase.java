// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.check.Invocation;
import dev.remus.check.RejectedHistoryError;
import dev.remus.simulation.Finding;
import dev.remus.tools.scenarios.Size;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;

/**
 * The same failure with fewer threads, operations or keys, which is easier to understand.
 *
 * @param plan the search that failed
 * @param finding the failure
 */
record SmallerCase(SearchPlan plan, Finding finding) {
    private static final int SCHEDULES_EACH = 300;
    static final int MAX_SCHEDULES = 6_000;

    /** Numbers, words of memory and pointers, which differ from run to run. */
    private static final Pattern NUMBER = Pattern.compile("-?\\b(0x[0-9a-f]+|[0-9][0-9,.]*)\\b");

    /**
     * The smallest size that fails within a few hundred schedules, in the way of a larger one; empty if none of the
     * tried sizes does.
     *
     * @param isStopped once this is true, no more schedules are tried
     * @param progress is told how many schedules were tried, of {@link #MAX_SCHEDULES}
     */
    static Optional<SmallerCase> of(
            SearchPlan plan, Finding larger, int jobs, BooleanSupplier isStopped, LongConsumer progress)
            throws InterruptedException {
        String kind = kind(larger);
        int tried = 0;
        for (Size size : plan.size().smaller()) {
            int before = tried;
            SearchPlan smaller = plan.withSize(size);
            if (smaller.refusal().isPresent()) {
                continue;
            }
            ScheduleSearch search =
                    new ScheduleSearch(smaller, 0, SCHEDULES_EACH, f -> kind.equals(kind(f)), isStopped);
            Optional<Finding> finding = search.run(jobs, done -> progress.accept(before + done));
            if (finding.isPresent()) {
                return Optional.of(new SmallerCase(smaller, finding.get()));
            }
            tried += SCHEDULES_EACH;
            if (tried >= MAX_SCHEDULES) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** What a failure has in common with those of other sizes: its class, its first line, or the result it rejects. */
    private static String kind(Finding finding) {
        String failure = finding.cause() instanceof RejectedHistoryError rejected
                ? rejected.culprit().map(SmallerCase::outcome).orElse("not decided")
                : finding.describe().strip().lines().findFirst().orElse("");
        return finding.cause().getClass().getName() + ": "
                + NUMBER.matcher(failure).replaceAll("#");
    }

    private static String outcome(Invocation<?, ?> culprit) {
        return culprit.operation() + " " + culprit.result();
    }
}
