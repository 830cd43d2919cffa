package dev.remus.lock;

import dev.remus.fabric.NodeLostException;

/**
 * The thread that holds a {@link RemoteLock} was lost with its node. The lock stays locked, since the data that it
 * protects may be half changed.
 */
public final class LostHolderException extends NodeLostException {
    private static final long serialVersionUID = 1L;

    /** The id of the Compute Thread that was lost. */
    private final int thread;

    /** @param lock the lock's name in messages */
    LostHolderException(String lock, int thread, int node) {
        super(
                node,
                "the " + lock + " is held by thread " + thread + " of Compute Node " + node
                        + ", which is lost: the data that it protects may be half changed");
        this.thread = thread;
    }

    /** The {@link dev.remus.node.ComputeThread#id} of the lost thread. */
    public int thread() {
        return thread;
    }
}
