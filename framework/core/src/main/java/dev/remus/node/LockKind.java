// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import java.util.Locale;

/** What the words at the pointer of a lock are, for programs that watch a cluster. */
public enum LockKind {
    /** A {@code RemoteLock}. */
    TICKET,

    /** A {@code RemoteQueueLock}, also as part of another lock. */
    QUEUE,

    /** The part of a {@code RemoteReadWriteLock} that a reader holds, or a writer awaits. */
    READERS,

    /** A permit of a {@code RemoteSemaphore}. */
    PERMIT,

    /** A {@code LeaderSlot}. */
    LEADER;

    /** The kind in a notice, such as {@code queue}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
