// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page8;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/** Solution of the exercise: several items take their numbers together. */
public final class BatchingQueue extends SmallQueue {
    /** Makes a thread's own handle to a queue. */
    public BatchingQueue(RdmaPtr<Shared> This, int capacity) {
        super(This, capacity);
    }

    /** Adds items one behind the other, with no other producer's items in between. */
    public void enqueueAll(long[] items, ComputeThread ct) {
        long first = This.claimed.fetchAdd(items.length, ct); // one round trip for all
        for (int i = 0; i < items.length; i++) {
            publish(first + i, items[i], ct);
        }
    }
}
