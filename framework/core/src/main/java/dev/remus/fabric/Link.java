package dev.remus.fabric;

import org.jspecify.annotations.Nullable;

/** A Compute Node's connection to one Memory Node: its segments, and the lanes that lead there. */
public interface Link extends AutoCloseable {
    /** The id of the Memory Node at the other end. */
    int memoryNode();

    /** How many segments it offers. */
    int segments();

    /** Its segment number {@code i}, from 0. */
    RemoteSegment segment(int i);

    /** How many lanes lead there. */
    int lanes();

    /** Lane number {@code i}, from 0. */
    Lane lane(int i);

    /**
     * Whether the Memory Node has ended or closed, or is another run of it by now. Cheap enough for a few calls a
     * second, not for every operation; once true it stays true.
     */
    boolean isLost();

    /** How the Memory Node was lost, once {@link #isLost}. */
    default LossKind lossKind() {
        return LossKind.ENDED;
    }

    /** The Memory Node's segments if it runs in this process and they can be read without an operation; else null. */
    default @Nullable LocalSegments localSegments() {
        return null;
    }

    /** Closes all lanes. Outstanding requests have an unknown outcome. May be called again. */
    @Override
    void close();
}
