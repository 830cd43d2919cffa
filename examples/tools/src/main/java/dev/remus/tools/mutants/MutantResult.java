// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import dev.remus.simulation.Finding;
import java.util.Optional;

/**
 * The result of the search for a mutant.
 *
 * @param mutant the mutant
 * @param shares the scenarios that reach it; may be empty
 * @param schedules the number of schedules run
 * @param finding the failure with the lowest seed
 * @param first the seed of the first schedule
 */
record MutantResult(Mutant mutant, Shares shares, long schedules, Optional<Finding> finding, long first) {
    boolean isFound() {
        return finding.isPresent();
    }

    /** The scenario that found it. */
    String scenario() {
        return shares.scenario(finding.orElseThrow().seed());
    }

    /** The check that found it. */
    Detector detector() {
        return Detector.of(finding.orElseThrow().cause());
    }

    /** The number of the schedule that found it, from 1. */
    long number() {
        return finding.orElseThrow().seed() - first + 1;
    }
}
