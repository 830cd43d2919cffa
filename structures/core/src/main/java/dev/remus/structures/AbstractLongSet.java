// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.structures.KeyType.LongKey;

/** A set of any keys as one of 64-bit integers, all of them, and without boxing. */
abstract class AbstractLongSet implements RemoteLongSet {
    private final RemoteSet<LongKey> set;
    private final LongKey sought = new LongKey();

    AbstractLongSet(RemoteSet<LongKey> set) {
        this.set = set;
    }

    @Override
    public final boolean contains(long key, ComputeThread ct) {
        return set.contains(sought.set(key), ct);
    }

    @Override
    public final boolean insert(long key, ComputeThread ct) {
        return set.insert(sought.set(key), ct);
    }

    @Override
    public final boolean remove(long key, ComputeThread ct) {
        return set.remove(sought.set(key), ct);
    }

    @Override
    public final long checkedSize(ComputeThread ct) {
        return set.checkedSize(ct);
    }

    @Override
    public final void destroy(ComputeThread ct) {
        set.destroy(ct);
    }
}
