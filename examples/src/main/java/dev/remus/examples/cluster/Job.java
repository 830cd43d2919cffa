package dev.remus.examples.cluster;

import dev.remus.node.ComputeThread;

/** What a {@link Program} does once its options are known. One object serves all threads of a node. */
public interface Job {
    /** One Compute Thread's part; an exception ends the whole cluster. */
    void run(ComputeThread ct, NodeContext context) throws Exception;

    /** Whether the thread with id 0 leaves files in {@link NodeContext#results}. */
    default boolean leavesResults() {
        return false;
    }
}
