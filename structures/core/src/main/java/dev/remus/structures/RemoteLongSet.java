// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;

/**
 * A set of 64-bit integers in remote memory, as seen by one thread.
 *
 * <p>An implementation has, besides these methods, a static creator {@code create(ComputeThread)} that makes an empty
 * set in remote memory and returns the {@link dev.remus.memory.RdmaPtr} to it, and a public constructor that takes this
 * pointer and makes a local handle. Handles belong to one thread each; all that are made from one pointer work on the
 * same set.
 *
 * <p>{@code ./remus intset --set org.example.MySet --class-path target/classes} measures any implementation beside
 * those of this package, on any fabric.
 */
public interface RemoteLongSet {
    /** Whether the key is in the set. */
    boolean contains(long key, ComputeThread ct);

    /** Adds a key; returns whether it was missing. */
    boolean insert(long key, ComputeThread ct);

    /** Takes a key out; returns whether it was there. */
    boolean remove(long key, ComputeThread ct);

    /**
     * Walks through the set while no other thread uses it, and checks everything that must then hold.
     *
     * @return how many keys there are
     * @throws IllegalStateException naming what does not hold
     */
    long checkedSize(ComputeThread ct);

    /** Gives all memory of the set back. No thread may use it meanwhile or afterwards. */
    void destroy(ComputeThread ct);
}
