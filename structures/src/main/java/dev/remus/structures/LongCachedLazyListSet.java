package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.KeyType.LongKey;

/**
 * {@link FastLazyListSet} for 64-bit integers, with a read cache in each handle ({@code --cn-cache-records}). Promises, costs
 * and what a thread's death does are the same. Pays where most operations look for keys or the list is long, and round
 * trips are dear; after each barrier a handle has to read the nodes anew.
 */
public final class LongCachedLazyListSet implements IntSet {
    private final FastLazyListSet<LongKey> list;
    private final LongKey sought = new LongKey();

    /** Makes an empty set in remote memory. */
    public static RdmaPtr<FastLazyListSet.Shared> create(ComputeThread ct) {
        return FastLazyListSet.create(KeyType.longs(), ct);
    }

    /** Makes a thread's handle to a set that {@link #create} made. */
    public LongCachedLazyListSet(RdmaPtr<FastLazyListSet.Shared> This) {
        list = new FastLazyListSet<>(This, KeyType.longs(), FastLazyListSet.CONFIGURED);
    }

    /** The same with a cache of so many nodes, 0 for none. */
    public LongCachedLazyListSet(RdmaPtr<FastLazyListSet.Shared> This, int cacheRecords) {
        list = new FastLazyListSet<>(This, KeyType.longs(), cacheRecords);
    }

    @Override
    public boolean contains(long key, ComputeThread ct) {
        return list.contains(sought.set(key), ct);
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        return list.insert(sought.set(key), ct);
    }

    @Override
    public boolean remove(long key, ComputeThread ct) {
        return list.remove(sought.set(key), ct);
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        return list.checkedSize(ct);
    }

    @Override
    public void destroy(ComputeThread ct) {
        list.destroy(ct);
    }
}
