// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * {@link LockFreeListSet} for 64-bit integers, all of them, and without boxing. Promises, costs and what a thread's
 * death does are the same.
 */
public final class LongLockFreeListSet extends AbstractLongSet {
    /** Makes an empty set in remote memory. */
    public static RdmaPtr<LockFreeListSet.Shared> create(ComputeThread ct) {
        return LockFreeListSet.create(ct);
    }

    /** Makes a thread's handle to a set that {@link #create} made. */
    public LongLockFreeListSet(RdmaPtr<LockFreeListSet.Shared> This) {
        super(new LockFreeListSet<>(This, KeyType.longs()));
    }
}
