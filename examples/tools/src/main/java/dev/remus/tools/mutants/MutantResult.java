package dev.remus.tools.mutants;

import dev.remus.simulation.Finding;
import java.util.List;
import java.util.Optional;

/**
 * What became of a mutant.
 *
 * @param mutant which
 * @param scenarios that reach it; none can if there are none
 * @param schedules how many were run
 * @param finding the first that went wrong
 * @param first the seed of the first schedule
 */
record MutantResult(Mutant mutant, List<String> scenarios, long schedules, Optional<Finding> finding, long first) {
    boolean isFound() {
        return finding.isPresent();
    }

    /** Where it was found. */
    String scenario() {
        return Conditions.scenario(scenarios, finding.orElseThrow().seed());
    }

    /** By what. */
    Detector detector() {
        return Detector.of(finding.orElseThrow().cause());
    }

    /** After how many schedules. */
    long number() {
        return finding.orElseThrow().seed() - first + 1;
    }
}
