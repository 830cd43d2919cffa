package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;
import java.util.concurrent.locks.LockSupport;

/** Sleeps before each operation, so that nodes that are at work until they are ended leave the processors to others. */
public final class SleepySet extends OwnSet {
    private static final long A_MILLISECOND = 1_000_000;

    /** Makes an empty set. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return OwnSet.create(ct);
    }

    /** Makes a handle. */
    public SleepySet(RdmaPtr<LazyListSet.Shared> This) {
        super(This);
    }

    @Override
    public boolean contains(long key, ComputeThread ct) {
        LockSupport.parkNanos(A_MILLISECOND);
        return super.contains(key, ct);
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        LockSupport.parkNanos(A_MILLISECOND);
        return super.insert(key, ct);
    }

    @Override
    public boolean remove(long key, ComputeThread ct) {
        LockSupport.parkNanos(A_MILLISECOND);
        return super.remove(key, ct);
    }
}
