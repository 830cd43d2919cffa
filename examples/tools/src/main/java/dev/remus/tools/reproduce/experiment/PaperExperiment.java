// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.experiment;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.util.List;

/** An experiment of a publication, which {@code ./remus reproduce} repeats. */
public interface PaperExperiment {
    /** The name on the command line, such as {@code lock-free-queue}. */
    String name();

    /** A sentence about the experiment, for the help. */
    String summary();

    /** Its options besides those of {@link ExperimentOptions#common}; may include {@link ExperimentOptions#FABRIC}. */
    default List<OptionSpec<?>> options() {
        return List.of();
    }

    /**
     * Runs the experiment, prints its table, and writes its results to {@link ExperimentRun#folder}.
     *
     * @return an {@link ExitStatus}: a difference from the publication is a result and no failure
     * @throws IOException if the results cannot be written
     * @throws InterruptedException if this thread is interrupted
     */
    int run(ExperimentRun run) throws IOException, InterruptedException;
}
