// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.check;

import dev.remus.simulation.Finding;
import dev.remus.simulation.ScheduleMix;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;

/** Prints results as lines of text. */
final class TextCheckReport implements CheckReport {
    private final PrintStream out;
    private final FindingsFolder findings;
    private boolean isMix;

    TextCheckReport(PrintStream out, FindingsFolder findings) {
        this.out = out;
        this.findings = findings;
    }

    @Override
    public void print(SearchOutcome outcome) {
        isMix |= outcome.plan().conditions().isMix();
        if (outcome.isClean()) {
            out.printf(
                    Locale.ROOT,
                    "%s: %,d %sschedules clean in %.1f s, %s%n",
                    outcome.plan().scenario().name(),
                    outcome.done(),
                    outcome.isStopped() ? String.format(Locale.ROOT, "of %,d ", outcome.wanted()) : "",
                    outcome.seconds(),
                    extent(outcome));
        } else {
            print(outcome.plan(), outcome.finding().orElseThrow(), "fails");
        }
    }

    private static String extent(SearchOutcome outcome) {
        if (outcome.plan().conditions().isExhaustive()) {
            return outcome.isComplete() ? "complete" : "not complete: " + String.join("; ", outcome.leftOut());
        }
        if (outcome.isStopped()) {
            long next = outcome.first() + outcome.done();
            return "stopped; to go on: --first-seed " + next + " --seeds " + (outcome.wanted() - outcome.done());
        }
        return "seeds " + outcome.first() + " to " + (outcome.first() + outcome.wanted() - 1);
    }

    @Override
    public void printSmaller(Optional<SmallerCase> smaller) {
        smaller.ifPresent(s -> print(s.plan(), s.finding(), "the smallest size that was seen to fail"));
    }

    private void print(SearchPlan plan, Finding finding, String what) {
        out.println(finding.describe().stripTrailing());
        out.printf("%s: %s (%s); to reproduce it:%n", plan.scenario().name(), what, plan.size());
        out.printf("  %s%n", plan.replayCommand(finding.seed()));
        out.printf("%s%n%n", findings.keep(plan, finding).sentence());
    }

    @Override
    public void conclude(boolean clean) {
        if (isMix) {
            out.println("schedules: " + ScheduleMix.DELAYS_AND_BREAKS.shares());
        }
        out.flush();
    }
}
