package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;

/** Finds itself damaged at the end. */
public final class DamagedSet extends OwnSet {
    /** Makes an empty set. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return OwnSet.create(ct);
    }

    /** Makes a handle. */
    public DamagedSet(RdmaPtr<LazyListSet.Shared> This) {
        super(This);
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        throw new IllegalStateException("a mark was left");
    }
}
