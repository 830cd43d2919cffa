// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * {@link FastLazyListSet} for 64-bit integers, all of them, and without boxing; without a cache. Promises, costs and
 * what a thread's death does are the same.
 */
public final class LongFastLazyListSet extends AbstractLongSet {
    /** Makes an empty set in remote memory. */
    public static RdmaPtr<FastLazyListSet.Shared> create(ComputeThread ct) {
        return FastLazyListSet.create(KeyType.longs(), ct);
    }

    /** Makes a thread's handle to a set that {@link #create} made. */
    public LongFastLazyListSet(RdmaPtr<FastLazyListSet.Shared> This) {
        super(new FastLazyListSet<>(This, KeyType.longs()));
    }
}
