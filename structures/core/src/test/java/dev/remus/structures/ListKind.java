// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** The lists, for tests of what all of them do. */
enum ListKind {
    /** As the tutorial has it. */
    PLAIN {
        @Override
        RdmaPtr<?> create(ComputeThread ct) {
            return LongLazyListSet.create(ct);
        }

        @Override
        RemoteLongSet open(RdmaPtr<?> This) {
            return new LongLazyListSet(new RdmaPtr<>(This.raw()));
        }

        @Override
        long lockOffset() {
            return 16;
        }

        @Override
        <K> RemoteSet<K> make(KeyType<K> keys, ComputeThread ct) {
            return new LazyListSet<>(LazyListSet.create(keys, ct), keys);
        }
    },
    /** With few round trips, without a cache. */
    FAST {
        @Override
        RemoteLongSet open(RdmaPtr<?> This) {
            return new LongFastLazyListSet(new RdmaPtr<>(This.raw()));
        }

        @Override
        <K> RemoteSet<K> make(KeyType<K> keys, ComputeThread ct) {
            return new FastLazyListSet<>(FastLazyListSet.create(keys, ct), keys);
        }
    },
    /** With room in the cache for everything. */
    CACHED {
        @Override
        RemoteLongSet open(RdmaPtr<?> This) {
            return new LongCachedLazyListSet(new RdmaPtr<>(This.raw()));
        }

        @Override
        <K> RemoteSet<K> make(KeyType<K> keys, ComputeThread ct) {
            return new FastLazyListSet<>(FastLazyListSet.create(keys, ct), keys, FastLazyListSet.CONFIGURED);
        }
    },
    /** With room for a few nodes. */
    HARDLY_CACHED {
        @Override
        RemoteLongSet open(RdmaPtr<?> This) {
            return new LongCachedLazyListSet(new RdmaPtr<>(This.raw()), 4);
        }

        @Override
        <K> RemoteSet<K> make(KeyType<K> keys, ComputeThread ct) {
            return new FastLazyListSet<>(FastLazyListSet.create(keys, ct), keys, 4);
        }
    },
    /** Without locks. */
    LOCK_FREE {
        @Override
        RdmaPtr<?> create(ComputeThread ct) {
            return LongLockFreeListSet.create(ct);
        }

        @Override
        RemoteLongSet open(RdmaPtr<?> This) {
            return new LongLockFreeListSet(new RdmaPtr<>(This.raw()));
        }

        @Override
        <K> RemoteSet<K> make(KeyType<K> keys, ComputeThread ct) {
            return new LockFreeListSet<>(LockFreeListSet.create(ct), keys);
        }
    };

    /** A list of integers in remote memory. */
    RdmaPtr<?> create(ComputeThread ct) {
        return LongFastLazyListSet.create(ct);
    }

    /** A handle to it. */
    abstract RemoteLongSet open(RdmaPtr<?> This);

    /** A list of other keys, and a handle to it. */
    abstract <K> RemoteSet<K> make(KeyType<K> keys, ComputeThread ct);

    RemoteLongSet make(ComputeThread ct) {
        return open(create(ct));
    }

    /** Where in a node with a key of 8 bytes the lock is; a fast list has a stamp before it. */
    long lockOffset() {
        return 24;
    }
}
