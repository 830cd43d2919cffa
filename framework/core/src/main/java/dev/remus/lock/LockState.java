// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import java.util.List;
import java.util.OptionalInt;

/**
 * A {@link RemoteLock} or a {@link RemoteQueueLock} at one moment.
 *
 * @param holder the {@link dev.remus.node.ComputeThread#id} of the holder; empty if the lock is free
 * @param waiters the ids of the waiting threads
 * @param turns how many tickets were served before
 */
public record LockState(OptionalInt holder, List<Integer> waiters, long turns) {
    /** Copies the list of the waiters. */
    public LockState {
        waiters = List.copyOf(waiters);
    }
}
