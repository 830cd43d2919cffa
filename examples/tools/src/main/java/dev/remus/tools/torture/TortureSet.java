// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.torture;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.RemoteLongSet;

/**
 * A {@link LongLazyListSet} that prints a line when it is created, checked and destroyed, and lingers there, so that
 * faults can be injected at these points.
 */
public final class TortureSet implements RemoteLongSet {
    private static final long LINGER_NANOS = 100_000_000;

    private final LongLazyListSet set;

    /** Makes a thread's handle to a set that {@link #create} made. */
    public TortureSet(RdmaPtr<LazyListSet.Shared> This) {
        set = new LongLazyListSet(This);
    }

    /** Makes an empty set in remote memory. */
    public static RdmaPtr<LazyListSet.Shared> create(ComputeThread ct) {
        announce(InjectionPoint.CREATE);
        linger(ct);
        return LongLazyListSet.create(ct);
    }

    @Override
    public boolean contains(long key, ComputeThread ct) {
        return set.contains(key, ct);
    }

    @Override
    public boolean insert(long key, ComputeThread ct) {
        return set.insert(key, ct);
    }

    @Override
    public boolean remove(long key, ComputeThread ct) {
        return set.remove(key, ct);
    }

    @Override
    public long checkedSize(ComputeThread ct) {
        announce(InjectionPoint.CHECK);
        linger(ct);
        return set.checkedSize(ct);
    }

    @Override
    public void destroy(ComputeThread ct) {
        announce(InjectionPoint.DESTROY);
        linger(ct);
        set.destroy(ct);
        announce(InjectionPoint.METRICS);
    }

    private static void announce(InjectionPoint point) {
        System.out.println(point.announcement());
    }

    private static void linger(ComputeThread ct) {
        long announce = ct.nanoTime();
        while (ct.nanoTime() - announce < LINGER_NANOS) {
            ct.pause();
        }
    }
}
