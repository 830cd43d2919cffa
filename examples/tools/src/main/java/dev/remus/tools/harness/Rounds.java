// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.Reclamation;
import dev.remus.node.ComputeThread;

/**
 * One thread's operations, in rounds that end with a barrier. There, all threads are between two operations, so none
 * holds a pointer to a removed node, and memory is reclaimed. The last round is the same for all threads. With {@code
 * --reclaim epochs}, there is one round, and no barrier before its end.
 */
public final class Rounds {
    private static final int OPERATIONS_PER_LOOK = 64;

    private final SharedRounds<?> shared;
    private final long reclaimEvery;

    /** Whether this thread has joined in the middle: then it ends with the others. */
    private final boolean isLate;

    private final ComputeThread ct;

    /** What a thread does in a run. */
    public interface Part {
        /** Executes an operation; or returns false if the run must end before it. */
        boolean operate();

        /** Starts counting the thread's remote operations. */
        void startCounting();

        /** Stops counting the thread's remote operations. */
        void stopCounting();
    }

    /** @param reclaimEvery the number of operations of each thread in a round, if there are several */
    public Rounds(SharedRounds<?> shared, long reclaimEvery, ComputeThread ct) {
        this.isLate = LateThreads.isLate(ct);
        this.shared = shared;
        this.reclaimEvery = reclaimEvery;
        this.ct = ct;
    }

    /**
     * Executes this thread's part. All threads must call it. A second call must come after {@link
     * SharedRounds#beginAgain}.
     *
     * @return the number of operations
     */
    public long run(RunLength length, Part part) {
        Deadline deadline = length.startNow(ct::nanoTime);
        boolean hasRounds = ct.config().reclaim() == Reclamation.BARRIER;
        long done = 0;
        part.startCounting();
        for (long round = 1; ; round++) {
            long end = hasRounds ? Math.min(length.operations(), round * reclaimEvery) : length.operations();
            while (done < end && !deadline.isOver() && !haveOthersEnded(done, round) && part.operate()) {
                done++;
                ct.quiescent();
            }
            part.stopCounting();
            if (done < end) {
                shared.endAfter(round, ct);
            }
            ct.barrier();
            if (done == length.operations() || shared.hasEndedAfter(round, ct)) {
                return done;
            }
            part.startCounting();
            ct.reclaimDeferred();
        }
    }

    private boolean haveOthersEnded(long done, long round) {
        return isLate && done % OPERATIONS_PER_LOOK == 0 && shared.hasEndedAfter(round, ct);
    }
}
