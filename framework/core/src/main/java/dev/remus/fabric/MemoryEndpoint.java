package dev.remus.fabric;

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

    /** Withdraws the memory and leaves nothing behind. May be called again. */
    @Override
    void close();
}
