// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.CellList;
import dev.remus.structures.LockFreeQueue;
import dev.remus.tools.queue.PhaseTimes.Phase;

/** {@link LockFreeQueue} whose steps are timed. */
final class PhasedLockFreeQueue extends LockFreeQueue<Long> implements Phased {
    private final PhaseTimes times = new PhaseTimes();

    PhasedLockFreeQueue(RdmaPtr<CellList> This, ComputeThread ct) {
        super(This, Codecs.LONG, ct);
    }

    @Override
    protected void append(long cell, ComputeThread ct) {
        long start = ct.nanoTime();
        super.append(cell, ct);
        times.add(Phase.ENQ_HOP, start, ct);
    }

    @Override
    protected boolean findFirst(ComputeThread ct) {
        long start = ct.nanoTime();
        boolean found = super.findFirst(ct);
        times.add(Phase.DEQ_HOP, start, ct);
        return found;
    }

    @Override
    protected void publishTail(ComputeThread ct) {
        long start = ct.nanoTime();
        super.publishTail(ct);
        times.add(Phase.BCAST_ALL, start, ct);
    }

    @Override
    protected void publishHead(ComputeThread ct) {
        long start = ct.nanoTime();
        super.publishHead(ct);
        times.add(Phase.BCAST_ALL, start, ct);
    }

    @Override
    public PhaseTimes times() {
        return times;
    }
}
