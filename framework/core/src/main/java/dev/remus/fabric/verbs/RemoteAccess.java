// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import java.io.IOException;

/**
 * What the other end of a connected queue pair may do, which queue pair that is, and how it is reached: {@code
 * ibv_modify_qp(3)}, {@code ibv_query_qp(3)}. A queue pair is the address of its {@code struct ibv_qp}. Needs {@link
 * NativeLibrary#load()}.
 */
final class RemoteAccess {
    /** The index of no GID: the queue pair is connected within one network of InfiniBand. */
    static final int NO_GID = -1;

    private RemoteAccess() {}

    /** Grants READs, WRITEs and atomics to the other end. */
    static native void grant(long queuePair) throws IOException;

    /**
     * Accepts the connection that an id with a queue pair was made for, without access of the other end to this one's
     * memory. {@code rdma_accept(3)} alone would grant it.
     *
     * @param id the address of the {@code struct rdma_cm_id}
     */
    static native void accept(long id, int retries, int receiverRetries) throws IOException;

    /** The number of the queue pair at the other end. */
    static native int peer(long queuePair) throws IOException;

    /** The entry of its port's table of GIDs that a connected queue pair uses, or {@link #NO_GID}. */
    static native int gidIndex(long queuePair) throws IOException;

    /** The number of a queue pair. */
    static native int number(long queuePair) throws IOException;
}
