// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.queue;

import dev.remus.node.ComputeThread;
import dev.remus.tools.harness.Losses;
import dev.remus.tools.harness.SharedRun;
import dev.remus.tools.harness.Together;

/**
 * What an audit of a queue needs besides the counts of the threads that are left.
 *
 * @param left the items that were in the queue after the run
 * @param outOfReach the part of them that no thread can dequeue, since a lost one stands in the way
 * @param enqueuedByLost the items that lost threads have enqueued
 * @param dequeuedByLost the items that they have dequeued
 * @param losses the lost threads
 */
record QueueRest(long left, long outOfReach, long enqueuedByLost, long dequeuedByLost, Losses losses) {
    /** That of a run without losses. */
    static QueueRest of(long left) {
        return new QueueRest(left, 0, 0, 0, Losses.NONE);
    }

    /** That of a run that has ended, on the thread that leads. */
    static QueueRest of(QueueAudit audit, QueueWorkload workload, SharedRun<?> shared, ComputeThread ct) {
        if (!Together.outlivesLosses(ct)) {
            return of(audit.left());
        }
        long[] others = shared.ofLost(ct);
        int left = QueueMetric.leftIn(ct.config());
        Losses losses = Losses.of(ct);
        long outOfReach = losses.isEmpty() ? 0 : audit.outOfReach(workload.queue());
        return new QueueRest(
                shared.totals(ct)[left] + others[left] + outOfReach,
                outOfReach,
                others[QueueMetric.ENQUEUED.ordinal()],
                others[QueueMetric.DEQUEUED.ordinal()],
                losses);
    }
}
