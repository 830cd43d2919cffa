package dev.remus.tools.mutants;

import java.util.List;
import java.util.SplittableRandom;

/** Maps a seed to a scenario. */
final class Conditions {
    private static final long GENERATOR = 0x72_61_6E_6BL;

    private Conditions() {}

    /**
     * The name of the scenario, drawn with the seed. The shares of the scenarios are as 1 to 1/2 to 1/3 and so on: the
     * most specific one is the most likely to use the mutant often, but it may do so only in passing.
     *
     * @param scenarios the scenarios that reach the mutant, most specific first
     */
    static String scenario(List<String> scenarios, long seed) {
        double all = 0;
        for (int rank = 1; rank <= scenarios.size(); rank++) {
            all += 1.0 / rank;
        }
        double at = new SplittableRandom(seed ^ GENERATOR).nextDouble() * all;
        int rank = 1;
        while (rank < scenarios.size() && at >= 1.0 / rank) {
            at -= 1.0 / rank++;
        }
        return scenarios.get(rank - 1);
    }
}
