package dev.remus.structures.spec;

import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.structures.KeyType;
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

    private WideKeys() {}

    /** Values of two words. */
    static Codec<Long> codec() {
        return new Pair();
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
