// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The trials of one torture, which have the numbers that follow one another. */
interface TrialSeries {
    /** What is counted, in the plural. */
    String unit();

    /** How many there have been. */
    long done();

    /** After how many it ends. */
    long wanted();

    /**
     * Runs the next trial.
     *
     * @param results a folder for the results of its nodes
     * @return the details of its failure; empty if it has passed
     */
    Optional<String> runNext(ShmFolder shm, Path results) throws IOException, InterruptedException;

    /** Runs a trial that must remove what the others have left, in the same way; none if they leave nothing. */
    default Optional<String> runLast(ShmFolder shm, Path results) throws IOException, InterruptedException {
        return Optional.empty();
    }

    /** The outcomes, as lines of text. */
    String toTable(long seconds);

    /** How many trials have failed. */
    long failures();
}
