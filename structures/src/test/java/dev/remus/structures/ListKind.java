package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** The fast lazy lists for integers, for tests of what all do. */
enum FastListKind {
    /** Without a cache. */
    FAST {
        @Override
        IntSet open(RdmaPtr<FastLazyListSet.Shared> This) {
            return new LongFastLazyListSet(This);
        }
    },
    /** With room in the cache for everything. */
    CACHED {
        @Override
        IntSet open(RdmaPtr<FastLazyListSet.Shared> This) {
            return new LongCachedLazyListSet(This);
        }
    },
    /** With room for a few nodes. */
    HARDLY_CACHED {
        @Override
        IntSet open(RdmaPtr<FastLazyListSet.Shared> This) {
            return new LongCachedLazyListSet(This, 4);
        }
    };

    abstract IntSet open(RdmaPtr<FastLazyListSet.Shared> This);

    IntSet make(ComputeThread ct) {
        return open(LongFastLazyListSet.create(ct));
    }
}
