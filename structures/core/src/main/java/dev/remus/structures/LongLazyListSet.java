// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * {@link LazyListSet} for 64-bit integers, all of them, and without boxing. Promises, costs and what a thread's death
 * does are the same.
 */
public final class LongLazyListSet extends AbstractLongSet {
    /** Makes an empty set in remote memory. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return LazyListSet.create(KeyType.longs(), ct);
    }

    /** Makes a thread's handle to a set that {@link #create} made. */
    public LongLazyListSet(RdmaPtr<LazyListSet.Shared> This) {
        super(new LazyListSet<>(This, KeyType.longs()));
    }
}
