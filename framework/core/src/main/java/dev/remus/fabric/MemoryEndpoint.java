// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * A Memory Node's side of the fabric: segments that Compute Nodes access. Opening the endpoint reserves the memory,
 * zeroed. Compute Nodes can connect after {@link #publish}.
 */
public interface MemoryEndpoint extends AutoCloseable {
    /** This Memory Node's id. */
    int node();

    /** The number of its segments. */
    int segments();

    /** Size of each segment. */
    long segmentBytes();

    /**
     * Reads a word with the Memory Node's own processor: whole, and as fresh as any READ.
     *
     * @throws IndexOutOfBoundsException outside the segment or misaligned
     * @throws IllegalStateException after {@link #close}
     */
    long get(int segment, long offset);

    /**
     * Writes a word with the Memory Node's own processor. Only for words that no remote operation ever changes, and for
     * initial values before {@link #publish}.
     *
     * @throws IndexOutOfBoundsException outside the segment or misaligned
     * @throws IllegalStateException after {@link #close}
     */
    void set(int segment, long offset, long value);

    /** Lets Compute Nodes connect. To be called once. */
    void publish();

    /** The present state of a Compute Node. */
    PeerState peer(int computeNode);

    /** How a Compute Node was lost, if {@link #peer} reports it as {@link PeerState#LOST}. */
    default LossKind lossOf(int computeNode) {
        return LossKind.ENDED;
    }

    /**
     * The incarnation of a Compute Node that has connected here: a number that differs from one start of the node to
     * the next ({@link Incarnation}). It is 0 while none is known.
     */
    long incarnation(int computeNode);

    /**
     * Cuts off a Compute Node that is lost, or has left and comes back: ends the connections of one incarnation, and
     * refuses new ones for ever. The nodes that take over what it held wait until each Memory Node has done so. Never
     * waits; to be called again until it returns true.
     *
     * @param incarnation the incarnation to cut off, whether it has connected here or not; other ones are unaffected
     * @return whether it is cut off: nothing that it has posted arrives here any more, and what has arrived is placed
     */
    boolean fence(int computeNode, long incarnation);

    /**
     * Ends the process of a Compute Node that shows no sign of life, if it runs on this machine, belongs to the same
     * user, and is not this process.
     *
     * @return whether it was told to end
     */
    default boolean kill(int computeNode) {
        return false;
    }

    /** The place where this node can show a text, as {@link ComputeEndpoint#noticeBoard}. */
    default Optional<Consumer<String>> noticeBoard() {
        return Optional.empty();
    }

    /** Withdraws the memory and leaves nothing behind. May be called again. */
    @Override
    void close();
}
