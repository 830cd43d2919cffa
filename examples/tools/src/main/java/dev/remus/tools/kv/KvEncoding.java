// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import dev.remus.record.Codec;
import dev.remus.record.Codecs;
import dev.remus.structures.Encoding;
import java.nio.ByteBuffer;

/**
 * A number as a record of any size from 8 bytes: it is repeated until the record is full, so that a reader notices a
 * record whose parts do not belong together.
 */
final class KvEncoding implements Encoding<Long> {
    private final int bytes;

    private KvEncoding(int bytes) {
        this.bytes = bytes;
    }

    static Encoding<Long> of(int bytes) {
        return new KvEncoding(bytes);
    }

    /** The same for structures whose values all have one size. */
    static Codec<Long> codec(int bytes) {
        KvEncoding encoding = new KvEncoding(bytes);
        return Codecs.of(bytes, encoding::encode, encoding::decode);
    }

    @Override
    public int bytes(Long value) {
        return bytes;
    }

    @Override
    public void encode(Long value, ByteBuffer to) {
        int left = bytes;
        for (; left >= Long.BYTES; left -= Long.BYTES) {
            to.putLong(value);
        }
        for (int i = 0; i < left; i++) {
            to.put(part(value, i));
        }
    }

    @Override
    public Long decode(ByteBuffer from) {
        long value = from.getLong();
        int left = bytes - Long.BYTES;
        boolean isWhole = true;
        for (; left >= Long.BYTES; left -= Long.BYTES) {
            isWhole &= from.getLong() == value;
        }
        for (int i = 0; i < left; i++) {
            isWhole &= from.get() == part(value, i);
        }
        if (!isWhole) {
            throw new IllegalStateException("a value of " + bytes
                    + " bytes that nobody wrote as a whole: it begins with " + Long.toHexString(value));
        }
        return value;
    }

    private static byte part(long value, int i) {
        return (byte) (value >>> i * Byte.SIZE);
    }
}
