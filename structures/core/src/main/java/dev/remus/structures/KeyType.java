// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;

/**
 * The layout of a structure's keys in remote memory, and the comparison of a local key with a remote one. Keys never
 * change once they are reachable, so reading one that is longer than a word cannot see it torn.
 *
 * <p>Belongs to one thread, since it may hold scratch space.
 *
 * @param <K> a local key
 */
public abstract class KeyType<K> {
    private final int bytes;

    /** @param bytes size of a key in remote memory, rounded up to whole words */
    protected KeyType(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("keys of " + bytes + " bytes: needs at least 1");
        }
        this.bytes = (bytes + Long.BYTES - 1) & -Long.BYTES;
    }

    /** How many bytes a key takes in a record: a multiple of 8. */
    public final int bytes() {
        return bytes;
    }

    /** Writes a key to remote memory, placed when this returns. */
    public abstract void store(long pointer, K key, ComputeThread ct);

    /** Compares the key at a pointer with a local one: below 0 if the remote key is smaller. */
    public abstract int compare(long pointer, K key, ComputeThread ct);

    /** Compares the keys at two pointers. For checks, not for hot paths. */
    public abstract int compare(long pointer, long otherPointer, ComputeThread ct);

    /** Puts a key into local memory, from where it is written to remote memory. */
    public abstract void put(LocalBuffer to, long offset, K key);

    /** Gets a key that has been read into local memory. Allocates it. For walks, not for hot paths. */
    public abstract K get(LocalBuffer memory, long offset);

    /**
     * Compares a key that has been read into local memory with a local one: below 0 if the one that was read is
     * smaller.
     */
    public abstract int compare(LocalBuffer memory, long offset, K key);

    /** Compares two keys that have been read into local memory: below 0 if the first is smaller. */
    public abstract int compare(LocalBuffer memory, long offset, LocalBuffer otherMemory, long otherOffset);

    /** Whether keys are 64-bit integers in their natural order, which {@link #number} returns. */
    boolean isNumber() {
        return false;
    }

    /** A key that is a 64-bit integer. */
    long number(K key) {
        throw new UnsupportedOperationException(key + " is no 64-bit integer");
    }

    /** 64-bit integers in a box that is used again, so that nothing is allocated. */
    public static KeyType<LongKey> longs() {
        return new Longs();
    }

    /** Keys of any type with a codec, in their natural order. Decoding allocates. */
    public static <K extends Comparable<? super K>> KeyType<K> of(Codec<K> codec) {
        return of(codec, Comparator.naturalOrder());
    }

    /** Keys of any type with a codec, in any total order. Decoding allocates. */
    public static <K> KeyType<K> of(Codec<K> codec, Comparator<? super K> order) {
        return new Encoded<>(codec, order);
    }

    /** A local 64-bit key. */
    public static final class LongKey {
        private long value;

        /** Makes a key of value 0. */
        public LongKey() {}

        /** Sets it, and returns itself. */
        public LongKey set(long value) {
            this.value = value;
            return this;
        }

        /** Its value. */
        public long get() {
            return value;
        }

        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    private static final class Longs extends KeyType<LongKey> {
        Longs() {
            super(Long.BYTES);
        }

        @Override
        boolean isNumber() {
            return true;
        }

        @Override
        long number(LongKey key) {
            return key.value;
        }

        @Override
        public void store(long pointer, LongKey key, ComputeThread ct) {
            ct.write(pointer, key.value);
        }

        @Override
        public int compare(long pointer, LongKey key, ComputeThread ct) {
            return Long.compare(ct.read(pointer), key.value);
        }

        @Override
        public int compare(long pointer, long otherPointer, ComputeThread ct) {
            return Long.compare(ct.read(pointer), ct.read(otherPointer));
        }

        @Override
        public void put(LocalBuffer to, long offset, LongKey key) {
            to.putLong(offset, key.value);
        }

        @Override
        public LongKey get(LocalBuffer memory, long offset) {
            return new LongKey().set(memory.getLong(offset));
        }

        @Override
        public int compare(LocalBuffer memory, long offset, LongKey key) {
            return Long.compare(memory.getLong(offset), key.value);
        }

        @Override
        public int compare(LocalBuffer memory, long offset, LocalBuffer otherMemory, long otherOffset) {
            return Long.compare(memory.getLong(offset), otherMemory.getLong(otherOffset));
        }
    }

    private static final class Encoded<K> extends KeyType<K> {
        private final Codec<K> codec;
        private final Comparator<? super K> order;
        private final ByteBuffer local;

        Encoded(Codec<K> codec, Comparator<? super K> order) {
            super(codec.bytes());
            this.codec = codec;
            this.order = order;
            this.local = ByteBuffer.allocate(bytes()).order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public void store(long pointer, K key, ComputeThread ct) {
            local.clear();
            codec.encode(key, local);
            ct.write(pointer, local.clear());
        }

        private K load(long pointer, ComputeThread ct) {
            ct.read(pointer, local.clear());
            return codec.decode(local.clear());
        }

        @Override
        public int compare(long pointer, K key, ComputeThread ct) {
            return order.compare(load(pointer, ct), key);
        }

        @Override
        public int compare(long pointer, long otherPointer, ComputeThread ct) {
            K other = load(otherPointer, ct);
            return order.compare(load(pointer, ct), other);
        }

        @Override
        public void put(LocalBuffer to, long offset, K key) {
            codec.encode(key, to.view(offset, bytes()));
        }

        @Override
        public K get(LocalBuffer memory, long offset) {
            return codec.decode(memory.view(offset, bytes()));
        }

        @Override
        public int compare(LocalBuffer memory, long offset, K key) {
            return order.compare(get(memory, offset), key);
        }

        @Override
        public int compare(LocalBuffer memory, long offset, LocalBuffer otherMemory, long otherOffset) {
            return compare(memory, offset, get(otherMemory, otherOffset));
        }
    }
}
