// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * An ordered map whose keys are scattered over all integers. Popular keys are small numbers, and new ones follow one
 * another. An ordered map would have them side by side, so that all threads would use the same leaf. YCSB hashes its
 * keys for the same reason.
 *
 * @param store has the scattered keys
 */
record ScatteredKvStore(KvStore store) implements KvStore {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /** {@code MIX * INVERSE} is 1, modulo 2^64. */
    private static final long INVERSE = 0xF1DE_83E1_9937_733DL;

    /** Where a key is. No two keys are at the same place, since each step can be undone. */
    static long place(long key) {
        return mixed(mixed(key));
    }

    /** The key that is at a place. */
    static long key(long place) {
        return unmixed(unmixed(place));
    }

    private static long mixed(long word) {
        long product = (word ^ word >>> 32) * MIX;
        return product ^ product >>> 29;
    }

    /** Undoes {@link #mixed}. */
    private static long unmixed(long word) {
        long product = word ^ word >>> 29 ^ word >>> 58;
        long folded = product * INVERSE;
        return folded ^ folded >>> 32;
    }

    @Override
    public long get(long key) {
        return store.get(place(key));
    }

    @Override
    public long put(long key, long value) {
        return store.put(place(key), value);
    }

    @Override
    public boolean replace(long key, long expected, long value) {
        return store.replace(place(key), expected, value);
    }

    @Override
    public long remove(long key) {
        return store.remove(place(key));
    }

    @Override
    public int scan(long from, int most) {
        return store.scan(place(from), most);
    }

    @Override
    public boolean load(long[] keys, LongUnaryOperator value) {
        Arrays.setAll(keys, i -> place(keys[i]));
        return store.load(keys, place -> value.applyAsLong(key(place)));
    }

    @Override
    public int room() {
        return store.room();
    }
}
