// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.baseline.DecentralizedLockQueue;
import dev.remus.tools.queue.PhaseTimes.Phase;

/** {@link DecentralizedLockQueue} whose steps are timed. */
final class PhasedDecentralizedLockQueue extends DecentralizedLockQueue<Long> implements Phased {
    private final PhaseTimes times = new PhaseTimes();

    PhasedDecentralizedLockQueue(RdmaPtr<DecentralizedLockQueue.Shared> This, ComputeThread ct) {
        super(This, Codecs.LONG, ct);
    }

    @Override
    protected void lockLast(ComputeThread ct) {
        long start = ct.nanoTime();
        super.lockLast(ct);
        times.add(Phase.ENQ_HOP, start, ct);
    }

    @Override
    protected void lockFirst(ComputeThread ct) {
        long start = ct.nanoTime();
        super.lockFirst(ct);
        times.add(Phase.DEQ_HOP, start, ct);
    }

    @Override
    protected void announce(long to, long position, boolean isHead, boolean isTail, ComputeThread ct) {
        long start = ct.nanoTime();
        super.announce(to, position, isHead, isTail, ct);
        times.add(Phase.BCAST_ALL, start, ct);
    }

    @Override
    public PhaseTimes times() {
        return times;
    }
}
