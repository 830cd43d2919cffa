// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;
import java.util.concurrent.locks.LockSupport;

/**
 * A set that sleeps before each operation, so that nodes that run until they are killed leave the processors to others.
 */
public final class SleepySet extends OwnSet {
    private static final long A_MILLISECOND = 1_000_000;

    /** Makes an empty set in remote memory. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        return OwnSet.create(ct);
    }

    /** A handle to a set. */
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
