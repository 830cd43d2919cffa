// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of keys that have an order, for {@link RemoteTreeMap}: a key is below another if its bytes are, compared
 * one by one as unsigned numbers.
 *
 * @param <K> the type of the keys
 */
public interface OrderedCodec<K> {
    /** Size of every key in bytes, at least 1. */
    int bytes();

    /** Puts exactly {@link #bytes} bytes into a big-endian buffer. */
    void encode(K key, ByteBuffer to);

    /** Takes exactly {@link #bytes} bytes from a big-endian buffer. */
    K decode(ByteBuffer from);

    /** Integers of 64 bits, in their natural order. */
    static OrderedCodec<Long> longs() {
        return new OrderedCodec<>() {
            @Override
            public int bytes() {
                return Long.BYTES;
            }

            @Override
            public void encode(Long key, ByteBuffer to) {
                to.putLong(key ^ Long.MIN_VALUE);
            }

            @Override
            public Long decode(ByteBuffer from) {
                return from.getLong() ^ Long.MIN_VALUE;
            }
        };
    }

    /** Integers of 32 bits, in their natural order. */
    static OrderedCodec<Integer> ints() {
        return new OrderedCodec<>() {
            @Override
            public int bytes() {
                return Integer.BYTES;
            }

            @Override
            public void encode(Integer key, ByteBuffer to) {
                to.putInt(key ^ Integer.MIN_VALUE);
            }

            @Override
            public Integer decode(ByteBuffer from) {
                return from.getInt() ^ Integer.MIN_VALUE;
            }
        };
    }

    /** Floating-point numbers, in the order of {@link Double#compare}: -0.0 is below 0.0, and NaN is the highest. */
    static OrderedCodec<Double> doubles() {
        return new OrderedCodec<>() {
            @Override
            public int bytes() {
                return Double.BYTES;
            }

            @Override
            public void encode(Double key, ByteBuffer to) {
                long bits = Double.doubleToLongBits(key);
                to.putLong(bits ^ (bits >> 63 | Long.MIN_VALUE)); // of negative ones, all bits
            }

            @Override
            public Double decode(ByteBuffer from) {
                long bits = from.getLong();
                return Double.longBitsToDouble(bits ^ (~bits >> 63 | Long.MIN_VALUE));
            }
        };
    }

    /**
     * Arrays of bytes, in the order of {@link java.util.Arrays#compareUnsigned(byte[], byte[])}. They take one byte
     * more, for the length.
     *
     * @param most the most bytes of a key, from 1 to 255; longer keys are refused by an {@link
     *     IllegalArgumentException}
     */
    static OrderedCodec<byte[]> arrays(int most) {
        if (most < 1 || most > 255) {
            throw new IllegalArgumentException("keys of at most " + most + " bytes: needs 1 to 255");
        }
        return new OrderedCodec<>() {
            @Override
            public int bytes() {
                return most + 1;
            }

            @Override
            public void encode(byte[] key, ByteBuffer to) {
                if (key.length > most) {
                    throw new IllegalArgumentException("a key of " + key.length + " bytes: at most " + most + " fit");
                }
                to.put(key);
                for (int i = key.length; i < most; i++) {
                    to.put((byte) 0);
                }
                to.put((byte) key.length); // decides between keys that differ in zeros at the end
            }

            @Override
            public byte[] decode(ByteBuffer from) {
                byte[] padded = new byte[most];
                from.get(padded);
                byte[] key = new byte[Byte.toUnsignedInt(from.get())];
                System.arraycopy(padded, 0, key, 0, key.length);
                return key;
            }
        };
    }

    /**
     * Strings in UTF-8, in the order of their code points. They take one byte more, for the length.
     *
     * @param most as of {@link #arrays}
     */
    static OrderedCodec<String> strings(int most) {
        OrderedCodec<byte[]> arrays = arrays(most);
        return new OrderedCodec<>() {
            @Override
            public int bytes() {
                return arrays.bytes();
            }

            @Override
            public void encode(String key, ByteBuffer to) {
                arrays.encode(key.getBytes(StandardCharsets.UTF_8), to);
            }

            @Override
            public String decode(ByteBuffer from) {
                return new String(arrays.decode(from), StandardCharsets.UTF_8);
            }
        };
    }
}
