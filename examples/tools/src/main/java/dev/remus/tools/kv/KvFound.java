// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

/**
 * What a walk through a map has found.
 *
 * @param keys the number of keys; {@link #DAMAGED} if the map was too damaged to count
 * @param sum the sum of their values, modulo 2^64
 * @param damage what is wrong with a damaged map; else empty
 */
record KvFound(long keys, long sum, String damage) {
    /** The number of keys of a damaged map. */
    static final long DAMAGED = -1;

    KvFound(long keys, long sum) {
        this(keys, sum, "");
    }
}
