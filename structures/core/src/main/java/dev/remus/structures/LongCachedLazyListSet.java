// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * {@link FastLazyListSet} for 64-bit integers, with a read cache in each handle ({@code --cn-cache-records}). Promises,
 * costs and what a thread's death does are the same. Pays where most operations look for keys or the list is long, and
 * round trips are dear. Copies outlive the reuse of memory.
 */
public final class LongCachedLazyListSet extends AbstractLongSet {
    /** Makes an empty set in remote memory. */
    public static RdmaPtr<FastLazyListSet.Shared> create(ComputeThread ct) {
        return FastLazyListSet.create(KeyType.longs(), ct);
    }

    /** Makes a thread's handle to a set that {@link #create} made. */
    public LongCachedLazyListSet(RdmaPtr<FastLazyListSet.Shared> This) {
        super(new FastLazyListSet<>(This, KeyType.longs(), FastLazyListSet.CONFIGURED));
    }

    /** The same with a cache of so many nodes, 0 for none. */
    public LongCachedLazyListSet(RdmaPtr<FastLazyListSet.Shared> This, int cacheRecords) {
        super(new FastLazyListSet<>(This, KeyType.longs(), cacheRecords));
    }
}
