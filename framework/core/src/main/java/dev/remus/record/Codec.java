package dev.remus.record;

import java.nio.ByteBuffer;

/**
 * How a value of fixed size lies in remote memory. Encoding and decoding must be inverse to each other: what was
 * decoded encodes to the same bytes, since COMPARE_AND_SWAP compares those.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {
    /** Size of every value in bytes, at least 1. */
    int bytes();

    /** Puts exactly {@link #bytes} bytes into a little-endian buffer. */
    void encode(T value, ByteBuffer to);

    /** Takes exactly {@link #bytes} bytes from a little-endian buffer. */
    T decode(ByteBuffer from);
}
