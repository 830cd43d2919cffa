// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import java.util.function.LongUnaryOperator;

/** A map as one thread of an experiment uses it. No value is {@link #MISSING}. */
interface KvStore {
    /** Stands for no value. */
    long MISSING = 0;

    /** The value of a key, or {@link #MISSING}. */
    long get(long key);

    /** Sets the value of a key; returns the one before, or {@link #MISSING}. */
    long put(long key, long value);

    /** Replaces the value of a key if it equals another one; returns whether it did. */
    boolean replace(long key, long expected, long value);

    /** Removes a key; returns its value, or {@link #MISSING}. */
    long remove(long key);

    /**
     * Finds the entries from a key upwards, up to a number of them; returns how many there are.
     *
     * @throws UnsupportedOperationException if the map has no order
     */
    default int scan(long from, int most) {
        throw new UnsupportedOperationException("a scan of a map without order");
    }

    /**
     * Adds keys to an empty map at once, or many at a time, if it can. No other thread uses the map meanwhile.
     *
     * @param keys the keys, in any order; the map may use the array for itself
     * @param value the value of each, called once for each key
     * @return false if the map adds keys one by one; then it is as before
     */
    default boolean load(long[] keys, LongUnaryOperator value) {
        return false;
    }

    /**
     * The value that the next operation shall write.
     *
     * @param key the key of this operation
     * @param drawn a value that was drawn at random
     */
    default long choose(long key, long drawn) {
        return drawn;
    }

    /** How many more operations it takes. */
    default int room() {
        return Integer.MAX_VALUE;
    }
}
