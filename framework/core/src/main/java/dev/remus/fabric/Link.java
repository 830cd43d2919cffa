// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import org.jspecify.annotations.Nullable;

/** A Compute Node's connection to one Memory Node: its segments, and the lanes that lead there. */
public interface Link extends AutoCloseable {
    /** The id of the Memory Node at the other end. */
    int memoryNode();

    /** The number of its segments. */
    int segments();

    /** Segment number {@code i}, from 0. */
    RemoteSegment segment(int i);

    /** The number of lanes. */
    int lanes();

    /** Lane number {@code i}, from 0. */
    Lane lane(int i);

    /**
     * Whether the Memory Node has ended or closed, another run of it has begun, or it has been unreachable for the loss
     * time-out ({@link Reachability}). Cheap enough for a few calls a second, not for every operation. Once true, it
     * stays true.
     */
    boolean isLost();

    /**
     * Whether the Memory Node answers, as far as is known. While it does not, its lanes cannot be connected; it is lost
     * if that lasts for the loss time-out. Never waits.
     */
    default boolean isReachable() {
        return !isLost();
    }

    /**
     * Whether {@link Lane#reconnect} may wait for an answer of the Memory Node. If so, a thread that has other duties
     * lets another one call it.
     */
    default boolean waitsToReconnect() {
        return true;
    }

    /** How the Memory Node was lost, once {@link #isLost}. */
    default LossKind lossKind() {
        return LossKind.ENDED;
    }

    /**
     * Whether the Memory Node has cut off this Compute Node, which it declared lost ({@link MemoryEndpoint#fence}).
     * Then {@link #isLost} is true as well, and nothing that is posted arrives.
     */
    default boolean isCutOff() {
        return false;
    }

    /** The Memory Node's segments, if it runs in this process and loads may read them; else null. */
    default @Nullable LocalSegments localSegments() {
        return null;
    }

    /** Closes all lanes. The outcome of outstanding requests is unknown. May be called again. */
    @Override
    void close();
}
