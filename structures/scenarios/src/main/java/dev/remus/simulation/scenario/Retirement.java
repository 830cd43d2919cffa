// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** One thread's way to retire blocks and to reuse them by epochs: that of its Compute Thread, or a flawed one. */
public interface Retirement {
    /** The bytes of each block. */
    int BLOCK_BYTES = 64;

    /** Allocates a block of {@link #BLOCK_BYTES}, like {@link ComputeThread#allocate}. */
    long allocate(ComputeThread ct);

    /** Retires a block, like {@link ComputeThread#schedReclaim}. */
    void retire(long block, ComputeThread ct);

    /** Passes a quiescent state and announces it, if there is something to announce. */
    void quiescent(ComputeThread ct);

    /** Runs something while the thread holds no pointers, like {@link ComputeThread#offline}. */
    void offline(Runnable work, ComputeThread ct);

    /** Changes when pointers that the thread has kept become stale, like {@link ComputeThread#reclamationEpoch}. */
    long staleness(ComputeThread ct);

    /** The number of blocks that the thread has retired and not reclaimed. */
    int held(ComputeThread ct);

    /** Makes handles. */
    interface Factory {
        /** Makes the shared part, if there is one; one thread calls it. */
        default RdmaPtr<?> create(ComputeThread ct) {
            return RdmaPtr.nullPointer();
        }

        /** Makes a thread's handle to the shared part, before the thread's first access. */
        Retirement open(RdmaPtr<?> shared, ComputeThread ct);

        /** The setting that it needs. */
        default Reclamation setting() {
            return Reclamation.BARRIER;
        }
    }

    /** The way of the Compute Threads, each of which looks at the epoch in every {@link #quiescent}. */
    static Factory ofComputeThread() {
        return ofComputeThread(OfComputeThread.CALLS_OF_A_LOOK);
    }

    /**
     * The way of the Compute Threads.
     *
     * @param calls how many quiescent states {@link #quiescent} passes
     */
    static Factory ofComputeThread(int calls) {
        return new Factory() {
            @Override
            public Retirement open(RdmaPtr<?> shared, ComputeThread ct) {
                return new OfComputeThread(calls);
            }

            @Override
            public Reclamation setting() {
                return Reclamation.EPOCHS;
            }
        };
    }

    /** The way of the Compute Threads. */
    final class OfComputeThread implements Retirement {
        /** More than a thread passes between two looks at the epoch. */
        private static final int CALLS_OF_A_LOOK = 65;

        private final int calls;

        private OfComputeThread(int calls) {
            this.calls = calls;
        }

        @Override
        public long allocate(ComputeThread ct) {
            return ct.allocate(BLOCK_BYTES);
        }

        @Override
        public void retire(long block, ComputeThread ct) {
            ct.schedReclaim(block, BLOCK_BYTES);
        }

        @Override
        public void quiescent(ComputeThread ct) {
            for (int i = 0; i < calls; i++) {
                ct.quiescent();
            }
        }

        @Override
        public void offline(Runnable work, ComputeThread ct) {
            ct.offline(work);
        }

        @Override
        public long staleness(ComputeThread ct) {
            return ct.reclamationEpoch();
        }

        @Override
        public int held(ComputeThread ct) {
            return ct.metrics().retired();
        }
    }
}
