// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The scenarios that reach a mutant, and the share of each in its schedules.
 *
 * @param scenarios the most specific one first
 */
record Shares(List<Reach> scenarios) {
    private static final long GENERATOR = 0x72_61_6E_6BL;

    /** What a schedule counts that reaches a mutant where it does the same as the original. */
    private static final double SAME = 1.0 / 16;

    /**
     * How a scenario reaches a mutant.
     *
     * @param scenario its name
     * @param sites the number of explored schedules in which it reached the mutant
     * @param differing the number of those in which the mutant would have done something else
     * @param mutants the number of mutants that it reaches
     */
    record Reach(String scenario, int sites, int differing, int mutants) {}

    static Shares of(List<Reach> reaches) {
        return new Shares(
                reaches.stream().sorted(Comparator.comparingInt(Reach::mutants)).toList());
    }

    boolean isEmpty() {
        return scenarios.isEmpty();
    }

    /**
     * The weight of a scenario. A mutant is not found in a schedule in which it does the same as the original, so the
     * weight grows with the number of those in which it does something else. And it falls with the rank, as 1, 1/2, 1/3
     * and so on: the most specific scenario is the most likely to use the mutant often, but it may do so only in
     * passing.
     */
    private double weight(int rank) {
        Reach reach = scenarios.get(rank);
        return (reach.differing() + SAME * (reach.sites() - reach.differing())) / (rank + 1);
    }

    /** The name of the scenario, drawn with the seed. */
    String scenario(long seed) {
        double all = 0;
        for (int rank = 0; rank < scenarios.size(); rank++) {
            all += weight(rank);
        }
        double at = new SplittableRandom(seed ^ GENERATOR).nextDouble() * all;
        int rank = 0;
        while (rank < scenarios.size() - 1 && at >= weight(rank)) {
            at -= weight(rank++);
        }
        return scenarios.get(rank).scenario();
    }
}
