// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Counts what became of mutants. */
final class MutantTotals {
    private final Histogram numbers = new Histogram(5);
    private int explained;
    private int holes;
    private int unknown;

    /** @param reason why the mutant may survive, if it is explained */
    void add(MutantResult result, Optional<String> reason) {
        if (result.isFound()) {
            numbers.recordValue(result.number());
        } else if (reason.isPresent() && !Survivors.isOpen(reason.get())) {
            explained++;
        } else {
            holes++;
            unknown += reason.isEmpty() ? 1 : 0;
        }
    }

    /** The number of mutants. */
    long all() {
        return ofInterest() + explained;
    }

    /** The number of those that change only costs, or nothing. */
    int explained() {
        return explained;
    }

    /** The number of the others. */
    long ofInterest() {
        return found() + holes;
    }

    /** How many were found. */
    long found() {
        return numbers.getTotalCount();
    }

    /** How many of those of interest were not found. */
    int holes() {
        return holes;
    }

    /** The number of holes without an explanation. */
    int unknown() {
        return unknown;
    }

    /** How many of a hundred of those of interest were found. */
    double foundPercent() {
        return 100.0 * found() / Math.max(1, ofInterest());
    }

    /** The number of schedules in which such a percentage of those that were found are found. */
    long schedules(double percent) {
        return numbers.getValueAtPercentile(percent);
    }
}
