package dev.remus.cli.cluster;

import dev.remus.node.ComputeThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What a {@link Program} does once its options are known. One object serves all threads of a node. */
public interface Job {
    /**
     * One Compute Thread's part.
     *
     * @throws Exception if it fails, which ends the whole cluster
     */
    void run(ComputeThread ct, NodeContext context) throws Exception;

    /** Whether the thread with id 0 leaves files in {@link NodeContext#results}. */
    default boolean leavesResults() {
        return false;
    }

    /**
     * Completes the results once the run is over and the nodes on this machine have ended. Called by the process that the
     * user started, if the run has left anything.
     *
     * @param results the folder
     * @return a line to print, if any
     * @throws IOException if the results cannot be read or completed
     */
    default Optional<String> complete(Path results, RunRecord record) throws IOException {
        return Optional.empty();
    }
}
