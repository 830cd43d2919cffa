package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;

/** Says of the key 7 that it has been inserted, and forgets it. */
public final class LossySet extends OwnSet {
    private static final long FORGOTTEN = 7;

    /** Makes an empty set. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return OwnSet.create(ct);
    }

    /** Makes a handle. */
    public LossySet(RdmaPtr<LazyListSet.Shared> This) {
        super(This);
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        return key == FORGOTTEN || super.insert(key, ct);
    }
}
