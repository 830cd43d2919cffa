// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;

/** A set that reports the key 7 as inserted but drops it. */
public final class LossySet extends OwnSet {
    private static final long DROPPED = 7;

    /** Makes an empty set in remote memory. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return OwnSet.create(ct);
    }

    /** A handle to a set. */
    public LossySet(RdmaPtr<LazyListSet.Shared> This) {
        super(This);
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        return key == DROPPED || super.insert(key, ct);
    }
}
