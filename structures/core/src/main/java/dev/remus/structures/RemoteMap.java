// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import org.jspecify.annotations.Nullable;

/**
 * A map in remote memory, as seen by one thread. Its methods are those of {@link java.util.concurrent.ConcurrentMap};
 * null stands for no value.
 *
 * @param <K> a local key
 * @param <V> values
 */
public interface RemoteMap<K, V> {
    /** The value of a key, or null. */
    @Nullable
    V get(K key, ComputeThread ct);

    /** Sets the value of a key; returns the one before, or null. */
    @Nullable
    V put(K key, V value, ComputeThread ct);

    /** Sets the value of a key that has none; returns null then, and else the value that it has and keeps. */
    @Nullable
    V putIfAbsent(K key, V value, ComputeThread ct);

    /** Replaces the value of a key if it equals another one; returns whether it did. */
    boolean replace(K key, V expected, V value, ComputeThread ct);

    /** Takes a key out; returns its value, or null. */
    @Nullable
    V remove(K key, ComputeThread ct);

    /**
     * Walks through the map while no other thread uses it, and checks everything that must then hold.
     *
     * @return how many keys there are
     * @throws IllegalStateException naming what does not hold
     */
    long checkedSize(ComputeThread ct);

    /** Gives all memory of the map back. No thread may use it meanwhile or afterwards. */
    void destroy(ComputeThread ct);
}
