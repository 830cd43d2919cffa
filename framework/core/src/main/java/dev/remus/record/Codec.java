// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import java.nio.ByteBuffer;

/**
 * The encoding of values of fixed size in remote memory. Encoding must invert decoding exactly: a decoded value encodes
 * to the same bytes, since COMPARE_AND_SWAP compares these.
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
