// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** A thread's handle that can be moved from lock to lock. */
public interface MovableLockHandle extends LockHandle {
    /** Moves it to another lock. */
    void at(RdmaPtr<?> lock);

    /** Frees the lock at which it is, which no thread uses any more. */
    void free(ComputeThread ct);

    /** Makes handles. */
    @FunctionalInterface
    interface Opener {
        /** Makes a thread's handle to a lock that the creator made. */
        MovableLockHandle open(RdmaPtr<?> lock, ComputeThread ct);
    }
}
