// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;

/**
 * A set of keys of any type in remote memory, as seen by one thread: the general form of
 * {@link RemoteLongSet}.
 *
 * @param <K> a local key
 */
public interface RemoteSet<K> {
    /** Whether the key is in the set. */
    boolean contains(K key, ComputeThread ct);

    /** Adds a key; returns whether it was missing. */
    boolean insert(K key, ComputeThread ct);

    /** Takes a key out; returns whether it was there. */
    boolean remove(K key, ComputeThread ct);

    /**
     * Walks through the set while no other thread uses it, and checks everything that must then hold. A key counts as
     * removed once {@link #contains} says so, even if its remover's lane broke, or he was lost, before he could unlink
     * it.
     *
     * @return how many keys there are
     * @throws IllegalStateException naming what does not hold
     */
    long checkedSize(ComputeThread ct);

    /** Gives all memory of the set back. No thread may use it meanwhile or afterwards. */
    void destroy(ComputeThread ct);
}
