// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page15;

import dev.remus.node.ComputeThread;
import dev.remus.tutorial.page8.BatchingQueue;

// #region queue
/** A producer's handle that sends four items at a time. It answers too early. */
public final class GatheringQueue {
    private static final int BATCH = 4;

    private final BatchingQueue queue;
    private final long[] gathered = new long[BATCH];
    private int count;

    /** Makes a handle that sends its items to this queue. */
    public GatheringQueue(BatchingQueue queue) {
        this.queue = queue;
    }

    /** Adds an item; every fourth call sends what has been added. */
    public void enqueue(long item, ComputeThread ct) {
        gathered[count++] = item;
        if (count == BATCH) {
            queue.enqueueAll(gathered, ct);
            count = 0;
        }
    }
}
// #endregion queue
