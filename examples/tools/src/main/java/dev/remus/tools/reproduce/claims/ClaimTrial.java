// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.claims;

import dev.remus.cli.progress.Progress;
import dev.remus.tools.reproduce.testbed.Testbed;
import java.util.Map;

/** One run of a {@link ClaimExperiment}. */
public interface ClaimTrial {
    /** What is set, by name: the columns of a table. */
    Map<String, Object> conditions();

    /** All threads of the cluster. */
    int threads();

    /**
     * Runs it.
     *
     * @param progress receives the progress of its threads, for all nodes together
     * @return what was measured, by name
     * @throws dev.remus.tools.reproduce.testbed.RunFailedException if the result is wrong, or the run does not end
     */
    Map<String, Double> run(Testbed testbed, long seed, Progress progress) throws Exception;
}
