package dev.remus.tools.mutants;

import java.util.List;

/** Maps a seed to a scenario. */
final class Conditions {
    /** One of this many schedules runs the scenario most specific to the mutant. */
    private static final int SPECIAL = 3;

    private Conditions() {}

    /**
     * The name of the scenario: all in turn, interleaved with the first.
     *
     * @param scenarios the scenarios that reach the mutant, most specific first
     */
    static String scenario(List<String> scenarios, long seed) {
        return seed % SPECIAL == 0 ? scenarios.get(0) : scenarios.get((int) (seed / SPECIAL % scenarios.size()));
    }
}
