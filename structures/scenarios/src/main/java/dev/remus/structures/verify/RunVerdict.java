// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.verify;

import dev.remus.check.Checker;
import dev.remus.check.History;
import dev.remus.check.Minimiser;
import dev.remus.check.Timeline;
import dev.remus.check.Verdict;
import dev.remus.check.Verdict.Outcome;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the judge of a recorded run found.
 *
 * @param outcome whether the run has the property
 * @param property its name, for example {@code linearizable}
 * @param operations the number of operations that were judged
 * @param evidence if the run does not have the property, or that could not be decided: the operations that show it
 */
public record RunVerdict(Outcome outcome, String property, int operations, Optional<Evidence> evidence) {
    /**
     * The operations that no order explains.
     *
     * @param history the operations that concern the same key or the same items
     * @param smallest what is left of them when everything has been taken out that the failure does not need
     * @param drawing the smallest history, drawn, and the reason in one line
     */
    public record Evidence(History<?, ?> history, History<?, ?> smallest, String drawing) {
        /** The reason in one line. */
        public String reason() {
            return drawing.lines().reduce("", (before, line) -> line);
        }
    }

    static RunVerdict accepted(String property, int operations) {
        return new RunVerdict(Outcome.ACCEPTED, property, operations, Optional.empty());
    }

    /**
     * A verdict with the operations that show it, made small.
     *
     * @param reason in one line, for the case that the checker does not reject these operations within its budget
     */
    static <O, R> RunVerdict because(
            Outcome outcome,
            int operations,
            History<O, R> history,
            Checker<O, R> checker,
            Supplier<Minimiser<O, R>> minimiser,
            String reason) {
        Verdict<O, R> checked = checker.check(history);
        Evidence evidence;
        if (checked.isRejected()) {
            Verdict<O, R> smallest = minimiser.get().minimise(history);
            evidence = new Evidence(history, smallest.history(), smallest.draw(new Timeline()));
        } else {
            evidence = new Evidence(history, history, new Timeline().draw(history) + reason + "\n");
        }
        return new RunVerdict(outcome, checker.property(), operations, Optional.of(evidence));
    }

    /** Whether the run has the property. */
    public boolean isAccepted() {
        return outcome == Outcome.ACCEPTED;
    }

    /** For example {@code 1,000,000 operations: linearizable}. */
    @Override
    public String toString() {
        String count = String.format(Locale.ROOT, "%,d operation%s: ", operations, operations == 1 ? "" : "s");
        return count
                + switch (outcome) {
                    case ACCEPTED -> property;
                    case REJECTED -> "NOT " + property.toUpperCase(Locale.ROOT);
                    case UNKNOWN -> "not known whether " + property;
                };
    }
}
