// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.lists;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LongCachedLazyListSet;
import dev.remus.structures.LongFastLazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.LongLockFreeListSet;
import dev.remus.structures.RemoteLongSet;

/** The kinds of lists in remote memory. */
enum ListKind {
    /** The list of the tutorial. */
    PLAIN {
        @Override
        RdmaPtr<?> create(ComputeThread ct) {
            return LongLazyListSet.create(ct);
        }

        @Override
        RemoteLongSet open(long This) {
            return new LongLazyListSet(new RdmaPtr<>(This));
        }
    },
    /** The list that reads a node with one READ. */
    FAST {
        @Override
        RdmaPtr<?> create(ComputeThread ct) {
            return LongFastLazyListSet.create(ct);
        }

        @Override
        RemoteLongSet open(long This) {
            return new LongFastLazyListSet(new RdmaPtr<>(This));
        }
    },
    /** The fast list with a cache. */
    CACHED {
        @Override
        RdmaPtr<?> create(ComputeThread ct) {
            return LongCachedLazyListSet.create(ct);
        }

        @Override
        RemoteLongSet open(long This) {
            return new LongCachedLazyListSet(new RdmaPtr<>(This));
        }
    },
    /** The list without locks. */
    LOCKFREE {
        @Override
        RdmaPtr<?> create(ComputeThread ct) {
            return LongLockFreeListSet.create(ct);
        }

        @Override
        RemoteLongSet open(long This) {
            return new LongLockFreeListSet(new RdmaPtr<>(This));
        }
    };

    abstract RdmaPtr<?> create(ComputeThread ct);

    abstract RemoteLongSet open(long This);

    /** For example {@code plain}. */
    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
