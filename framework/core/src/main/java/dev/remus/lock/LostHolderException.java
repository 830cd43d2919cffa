// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.NodeLostException;

/**
 * The thread that holds a {@link RemoteLock} was lost with its node, and its lock is of no use: either some Memory Node
 * has not cut it off within the loss time-out, so that it may still change the data; or it may have left the data half
 * changed, and the structure cannot repair it ({@link RemoteLock#acquireConsistent}).
 */
public final class LostHolderException extends NodeLostException {
    private static final long serialVersionUID = 1L;

    /** The id of the Compute Thread that was lost. */
    private final int thread;

    private LostHolderException(int thread, int node, String message) {
        super(node, message);
        this.thread = thread;
    }

    /** @param lock the lock's name in messages */
    static LostHolderException notCutOff(String lock, int thread, int node) {
        return new LostHolderException(
                thread,
                node,
                "the " + lock + " is held by thread " + thread + " of Compute Node " + node
                        + ", which is lost and not cut off: it may still change the data");
    }

    /** @param lock the lock's name in messages */
    static LostHolderException halfChanged(String lock, int thread, int node) {
        return new LostHolderException(
                thread,
                node,
                "the " + lock + " was held by thread " + thread + " of Compute Node " + node
                        + ", which is lost: the data that it protects may be half changed");
    }

    /** The {@link dev.remus.node.ComputeThread#id} of the lost thread. */
    public int thread() {
        return thread;
    }
}
