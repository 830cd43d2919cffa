// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.structures.Encoding;
import dev.remus.structures.KeyType;
import dev.remus.structures.OrderedCodec;
import dev.remus.structures.RemoteLongSet;
import dev.remus.structures.RemoteSet;
import java.nio.ByteBuffer;
import java.util.Comparator;

/** Keys and values of two words for integers: a half-written one equals none. */
final class WideKeys {
    private static final class Pair implements Codec<Long> {
        @Override
        public int bytes() {
            return 2 * Long.BYTES;
        }

        @Override
        public void encode(Long value, ByteBuffer to) {
            to.putLong(value).putLong(~value);
        }

        @Override
        public Long decode(ByteBuffer from) {
            long value = from.getLong();
            long inverse = from.getLong();
            if (inverse != ~value) {
                throw new AssertionError("no thread wrote a pair of " + value + " and " + inverse);
            }
            return value;
        }
    }

    /** Of three words, the first is always the same, the second is so for pairs of keys, and the third has one byte. */
    private static final class Ordered implements OrderedCodec<Long> {
        private static final long FIRST = 0x7072_6566_6978_3a20L; // "prefix: "

        @Override
        public int bytes() {
            return 2 * Long.BYTES + 1;
        }

        @Override
        public void encode(Long key, ByteBuffer to) {
            to.putLong(FIRST).putLong(key >> 1 ^ Long.MIN_VALUE).put((byte) (key & 1));
        }

        @Override
        public Long decode(ByteBuffer from) {
            long first = from.getLong();
            long key = (from.getLong() ^ Long.MIN_VALUE) << 1 | from.get();
            if (first != FIRST) {
                throw new AssertionError("no thread wrote a key that begins with " + first);
            }
            return key;
        }
    }

    /** Each fifth value takes more than 4 KiB, all words of which are the value; the others take one word. */
    private static final class LongValues implements Encoding<Long> {
        private static final int MANY = 513;
        private static final int EACH = 5;

        @Override
        public int bytes(Long value) {
            return Long.BYTES * (value % EACH == 0 ? MANY : 1);
        }

        @Override
        public void encode(Long value, ByteBuffer to) {
            for (int left = bytes(value); left > 0; left -= Long.BYTES) {
                to.putLong(value);
            }
        }

        @Override
        public Long decode(ByteBuffer from) {
            int bytes = from.remaining();
            long value = from.getLong();
            boolean isWhole = bytes == bytes(value);
            while (from.hasRemaining()) {
                isWhole &= from.getLong() == value;
            }
            if (!isWhole) {
                throw new AssertionError("no thread wrote " + bytes + " bytes that begin with " + value);
            }
            return value;
        }
    }

    private WideKeys() {}

    /** Keys of three words for an ordered map, whose first words collide. */
    static OrderedCodec<Long> ordered() {
        return new Ordered();
    }

    /** Values of two words. */
    static Codec<Long> codec() {
        return new Pair();
    }

    /** Values of which some take more lines than a word of an ordered map has room for. */
    static Encoding<Long> longValues() {
        return new LongValues();
    }

    /** The type of these keys, for one thread. */
    static KeyType<Long> type() {
        return KeyType.of(new Pair(), Comparator.naturalOrder());
    }

    /** A view of a set of such keys as a set of integers. */
    static RemoteLongSet of(RemoteSet<Long> set) {
        return new RemoteLongSet() {
            @Override
            public boolean contains(long key, ComputeThread ct) {
                return set.contains(key, ct);
            }

            @Override
            public boolean insert(long key, ComputeThread ct) {
                return set.insert(key, ct);
            }

            @Override
            public boolean remove(long key, ComputeThread ct) {
                return set.remove(key, ct);
            }

            @Override
            public long checkedSize(ComputeThread ct) {
                return set.checkedSize(ct);
            }

            @Override
            public void destroy(ComputeThread ct) {
                set.destroy(ct);
            }
        };
    }
}
