// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;

/** A set whose check always fails. */
public final class DamagedSet extends OwnSet {
    /** Makes an empty set in remote memory. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return OwnSet.create(ct);
    }

    /** A handle to a set. */
    public DamagedSet(RdmaPtr<LazyListSet.Shared> This) {
        super(This);
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        throw new IllegalStateException("a mark was left");
    }
}
