// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.Codec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of keys or values whose size may differ, for {@link RemoteHashMap}. Equal keys must have equal bytes, since
 * the map compares these.
 *
 * @param <T> the type of the keys or values
 */
public interface Encoding<T> {
    /** The number of bytes that {@link #encode} will put. */
    int bytes(T value);

    /** Puts the value into a little-endian buffer. */
    void encode(T value, ByteBuffer to);

    /** Takes a value from a little-endian buffer, whose remaining bytes are those that were encoded. */
    T decode(ByteBuffer from);

    /** Values of fixed size. */
    static <T> Encoding<T> of(Codec<T> codec) {
        return new Encoding<>() {
            @Override
            public int bytes(T value) {
                return codec.bytes();
            }

            @Override
            public void encode(T value, ByteBuffer to) {
                codec.encode(value, to);
            }

            @Override
            public T decode(ByteBuffer from) {
                return codec.decode(from);
            }
        };
    }

    /** Strings of any length, in UTF-8. */
    static Encoding<String> strings() {
        return new Encoding<>() {
            @Override
            public int bytes(String value) {
                return value.getBytes(StandardCharsets.UTF_8).length;
            }

            @Override
            public void encode(String value, ByteBuffer to) {
                to.put(value.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public String decode(ByteBuffer from) {
                return StandardCharsets.UTF_8.decode(from).toString();
            }
        };
    }

    /** Arrays of bytes of any length, as values. */
    static Encoding<byte[]> arrays() {
        return new Encoding<>() {
            @Override
            public int bytes(byte[] value) {
                return value.length;
            }

            @Override
            public void encode(byte[] value, ByteBuffer to) {
                to.put(value);
            }

            @Override
            public byte[] decode(ByteBuffer from) {
                byte[] value = new byte[from.remaining()];
                from.get(value);
                return value;
            }
        };
    }
}
