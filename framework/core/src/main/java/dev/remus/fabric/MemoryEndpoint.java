package dev.remus.fabric;

/**
 * A Memory Node's side of the fabric: segments that Compute Nodes work on. The memory is reserved and zero when the
 * endpoint has been opened; Compute Nodes can connect after {@link #publish}.
 */
public interface MemoryEndpoint extends AutoCloseable {
    /** This Memory Node's id. */
    int node();

    /** How many segments it hosts. */
    int segments();

    /** Size of each segment. */
    long segmentBytes();

    /**
     * The Memory Node's own processor reads a word: whole, and as fresh as any READ.
     *
     * @throws IndexOutOfBoundsException outside the segment or misaligned
     * @throws IllegalStateException after {@link #close}
     */
    long get(int segment, long offset);

    /**
     * The Memory Node's own processor writes a word. Only for words that no remote operation ever changes, and for
     * initial values before {@link #publish}.
     *
     * @throws IndexOutOfBoundsException outside the segment or misaligned
     * @throws IllegalStateException after {@link #close}
     */
    void set(int segment, long offset, long value);

    /** Lets Compute Nodes connect. To be called once. */
    void publish();

    /** What is known about a Compute Node, from looking now. */
    PeerState peer(int computeNode);

    /** How a Compute Node was lost that {@link #peer} reports as {@link PeerState#LOST}. */
    default LossKind lossOf(int computeNode) {
        return LossKind.ENDED;
    }

    /** Withdraws the memory and leaves nothing behind. May be called again. */
    @Override
    void close();
}
