// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.baseline.PublishedLockFreeQueue;
import dev.remus.tools.queue.PhaseTimes.Phase;

/** {@link PublishedLockFreeQueue} whose steps are timed. */
final class PhasedPublishedLockFreeQueue extends PublishedLockFreeQueue<Long> implements Phased {
    private final PhaseTimes times = new PhaseTimes();

    PhasedPublishedLockFreeQueue(RdmaPtr<PublishedLockFreeQueue.Shared> This, ComputeThread ct) {
        super(This, Codecs.LONG, ct);
    }

    @Override
    protected boolean link(ComputeThread ct) {
        long start = ct.nanoTime();
        boolean wasEmpty = super.link(ct);
        times.add(Phase.ENQ_HOP, start, ct);
        return wasEmpty;
    }

    @Override
    protected boolean takeFirst(ComputeThread ct) {
        long start = ct.nanoTime();
        boolean taken = super.takeFirst(ct);
        times.add(Phase.DEQ_HOP, start, ct);
        return taken;
    }

    @Override
    protected boolean take(ComputeThread ct) {
        long start = ct.nanoTime();
        boolean taken = super.take(ct);
        times.exclude(Phase.DEQ_HOP, start, ct);
        return taken;
    }

    @Override
    protected void broadcast(long element, long stamp, boolean tail, boolean head, ComputeThread ct) {
        long start = ct.nanoTime();
        super.broadcast(element, stamp, tail, head, ct);
        times.add(Phase.BCAST_ALL, start, ct);
    }

    @Override
    public PhaseTimes times() {
        return times;
    }
}
