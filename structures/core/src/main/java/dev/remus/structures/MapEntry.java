// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import java.nio.ByteBuffer;

/**
 * A key and a value of a hash map in local memory: a block that was READ, or one to be written. A block never changes
 * once a slot names it.
 *
 * <pre>
 *  0      8             12            16
 *  +------+-------------+-------------+---------------------+-----------------------+
 *  | hash | value bytes | key bytes   | key, up to a word   | value, up to a word   |
 *  +------+-------------+-------------+---------------------+-----------------------+
 * </pre>
 */
final class MapEntry {
    private static final int SIZES = Long.BYTES;
    private static final int KEY = 2 * Long.BYTES;
    private static final int FIRST_BYTES = MapWords.UNIT;
    private static final int MAX_BYTES = 1 << 30;
    private static final int KEY_SHIFT = 32;

    /** An odd number with about as many ones as zeros, which look random. */
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private LocalBuffer memory;
    private ByteBuffer view;

    MapEntry(ComputeThread ct) {
        memory = ct.allocateLocal(FIRST_BYTES);
        view = memory.view(0, FIRST_BYTES);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        memory = ct.allocateLocal(memory.bytes());
        view = memory.view(0, (int) memory.bytes());
    }

    /** Local memory with room for so many bytes. What was there is kept. */
    LocalBuffer room(long bytes, ComputeThread ct) {
        if (bytes > memory.bytes()) {
            if (bytes > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "a key and a value of " + bytes + " bytes together: a map takes at most 2^30");
            }
            LocalBuffer larger = ct.allocateLocal(Long.highestOneBit(bytes - 1) << 1);
            for (int at = 0; at < memory.bytes(); at += Long.BYTES) {
                larger.putLong(at, memory.getLong(at));
            }
            memory = larger;
            view = larger.view(0, (int) larger.bytes());
        }
        return memory;
    }

    LocalBuffer memory() {
        return memory;
    }

    /** Becomes a copy of another one. */
    void take(MapEntry other, ComputeThread ct) {
        long bytes = other.bytes();
        room(bytes, ct);
        for (int word = 0; word < bytes; word += Long.BYTES) {
            memory.putLong(word, other.memory.getLong(word));
        }
    }

    private static int words(int bytes) {
        return bytes + Long.BYTES - 1 & -Long.BYTES;
    }

    private int keyBytes() {
        return (int) (memory.getLong(SIZES) >>> KEY_SHIFT);
    }

    private int valueBytes() {
        return (int) memory.getLong(SIZES);
    }

    private int value() {
        return KEY + words(keyBytes());
    }

    /** The bytes of the whole block. */
    long bytes() {
        return (long) value() + words(valueBytes());
    }

    long hash() {
        return memory.getLong(0);
    }

    // ------------------------------------------------------------------------------------------------ making

    <T> void setKey(Encoding<T> encoding, T key, long hashMask, ComputeThread ct) {
        int bytes = encoding.bytes(key);
        beginKey(bytes, ct);
        encoding.encode(key, part(KEY, bytes));
        endKey(hashMask);
    }

    void setKey(long key, long hashMask, ComputeThread ct) {
        beginKey(Long.BYTES, ct);
        memory.putLong(KEY, key);
        endKey(hashMask);
    }

    /** A block that has only a value: no key, and no hash. */
    void setNoKey(ComputeThread ct) {
        beginKey(0, ct);
        memory.putLong(0, 0);
    }

    private void beginKey(int bytes, ComputeThread ct) {
        room((long) KEY + words(bytes), ct);
        memory.putLong(SIZES, (long) bytes << KEY_SHIFT);
        if (bytes > 0) {
            memory.putLong(value() - Long.BYTES, 0); // the bytes behind the key count as zeros
        }
    }

    private void endKey(long hashMask) {
        long hash = keyBytes();
        for (int at = KEY; at < value(); at += Long.BYTES) {
            hash = mixed(hash + memory.getLong(at));
        }
        memory.putLong(0, mixed(hash) & hashMask);
    }

    private static long mixed(long word) {
        long product = word * MIX;
        product ^= product >>> 32;
        product *= MIX;
        return product ^ product >>> 29;
    }

    <T> void setValue(Encoding<T> encoding, T value, ComputeThread ct) {
        int bytes = encoding.bytes(value);
        beginValue(bytes, ct);
        encoding.encode(value, part(value(), bytes));
    }

    void setValue(long value, ComputeThread ct) {
        beginValue(Long.BYTES, ct);
        memory.putLong(value(), value);
    }

    private void beginValue(int bytes, ComputeThread ct) {
        int start = value();
        room((long) start + words(bytes), ct);
        memory.putLong(SIZES, (long) keyBytes() << KEY_SHIFT | bytes);
        if (bytes > 0) {
            memory.putLong(start + words(bytes) - Long.BYTES, 0);
        }
    }

    // ------------------------------------------------------------------------------------------------ reading

    <T> T key(Encoding<T> encoding) {
        return encoding.decode(part(KEY, keyBytes()));
    }

    <T> T value(Encoding<T> encoding) {
        return encoding.decode(part(value(), valueBytes()));
    }

    long longKey() {
        return memory.getLong(KEY);
    }

    long longValue() {
        return memory.getLong(value());
    }

    private ByteBuffer part(int start, int length) {
        return view.clear().position(start).limit(start + length);
    }

    /** The bytes of the key, with {@code equals}. */
    ByteBuffer keyCopy() {
        ByteBuffer key = part(KEY, keyBytes());
        return ByteBuffer.allocate(key.remaining()).put(key).flip();
    }

    boolean hasKeyOf(MapEntry other) {
        return hash() == other.hash()
                && keyBytes() == other.keyBytes()
                && hasWordsOf(other, KEY, KEY, words(keyBytes()));
    }

    boolean hasValueOf(MapEntry other) {
        return valueBytes() == other.valueBytes() && hasWordsOf(other, value(), other.value(), words(valueBytes()));
    }

    private boolean hasWordsOf(MapEntry other, int here, int there, int length) {
        for (int at = 0; at < length; at += Long.BYTES) {
            if (memory.getLong(here + at) != other.memory.getLong(there + at)) {
                return false;
            }
        }
        return true;
    }
}
