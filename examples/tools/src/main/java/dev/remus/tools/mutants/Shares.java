// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The scenarios that reach a mutant, and the share of each in its schedules. */
final class Shares {
    private static final long GENERATOR = 0x72_61_6E_6BL;

    /** What a schedule counts that reaches a mutant where it does the same as the original. */
    private static final double SAME = 1.0 / 16;

    private final List<Reach> scenarios;

    /** What a draw for each of them is below, and not below that for the one before. */
    private final double[] bounds;

    /**
     * How a scenario reaches a mutant.
     *
     * @param scenario its name
     * @param sites the number of explored schedules in which it reached the mutant
     * @param differing the number of those in which the mutant would have done something else
     * @param mutants the number of mutants that it reaches
     * @param density how often the mutant would have done something else in these schedules, as a part of how often all
     *     mutants would
     */
    record Reach(String scenario, int sites, int differing, int mutants, double density) {
        /** A mutant is not found in a schedule in which it does the same as the original. */
        private double chance() {
            return differing + SAME * (sites - differing);
        }
    }

    private Shares(List<Reach> scenarios, double[] bounds) {
        this.scenarios = scenarios;
        this.bounds = bounds;
    }

    /**
     * The shares of some scenarios. They grow with the number of schedules in which the mutant does something else, and
     * fall with two ranks, as 1, 1/2, 1/3 and so on, which count alike: how few other mutants a scenario reaches, and
     * how dense this one is there. Of 852 mutants that took three schedules or more, a schedule of the densest scenario
     * found three times as many as one of those from rank 9 to 16; but some that are seldom used need the most specific
     * one.
     */
    static Shares of(List<Reach> reaches) {
        List<Reach> bySpecificity = sorted(reaches, Comparator.comparingInt(Reach::mutants));
        List<Reach> byDensity =
                sorted(reaches, Comparator.comparingDouble(Reach::density).reversed());
        double[] bounds = new double[reaches.size()];
        double sum = 0;
        for (int i = 0; i < bounds.length; i++) {
            Reach reach = bySpecificity.get(i);
            sum += reach.chance() * (1.0 / (i + 1) + 1.0 / (byDensity.indexOf(reach) + 1));
            bounds[i] = sum;
        }
        return new Shares(bySpecificity, bounds);
    }

    private static List<Reach> sorted(List<Reach> reaches, Comparator<Reach> order) {
        return reaches.stream().sorted(order).toList();
    }

    boolean isEmpty() {
        return scenarios.isEmpty();
    }

    /** The name of the scenario, drawn with the seed. */
    String scenario(long seed) {
        int last = bounds.length - 1;
        double at = new SplittableRandom(seed ^ GENERATOR).nextDouble() * bounds[last];
        int drawn =
                IntStream.range(0, last).filter(i -> at < bounds[i]).findFirst().orElse(last);
        return scenarios.get(drawn).scenario();
    }
}
