// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

import dev.remus.node.ComputeThread;
import dev.remus.process.JvmFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The work of a {@link Program} with given options. One object serves all threads of a node. */
public interface Job {
    /**
     * Runs one Compute Thread's part.
     *
     * @throws Exception if it fails, which ends the cluster
     */
    void run(ComputeThread ct, NodeContext context) throws Exception;

    /** The heap in MiB that a node may need if it is started on this machine; a JVM takes less if it can. */
    default int heapMib() {
        return JvmFlags.SMALL_HEAP_MIB;
    }

    /** Whether the thread that leads, usually that with id 0, leaves files in {@link NodeContext#results}. */
    default boolean leavesResults() {
        return false;
    }

    /**
     * Completes the results after the run, when the nodes on this machine have ended. The process that the user started
     * calls it if the run has left any files.
     *
     * @param results the folder of the results
     * @return a line to print, if any
     * @throws IOException if the results cannot be read or completed
     */
    default Optional<String> complete(Path results, RunRecord record) throws IOException {
        return Optional.empty();
    }
}
