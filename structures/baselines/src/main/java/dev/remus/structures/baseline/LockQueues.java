// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.baseline;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/** What the lock-based queues check, and how they make sure of what they change. */
final class LockQueues {
    private LockQueues() {}

    /**
     * Places what this thread has posted. Returns false if a lane broke, so that some of it may be lost. The thread
     * then posts all of it again: no other thread reads or writes these words before it releases its lock.
     */
    static boolean isPlaced(ComputeThread ct) {
        try {
            ct.place();
            return true;
        } catch (OutcomeUnknownException e) {
            ct.pause();
            return false;
        }
    }

    /** Changes a word that no other thread reads or writes before this one releases its lock. It is placed then. */
    static void store(RemoteLong word, long value, ComputeThread ct) {
        do {
            word.post(value, ct);
        } while (!isPlaced(ct));
    }

    static void checkCapacity(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a queue with room for " + capacity + " items of each thread: needs 1");
        }
    }

    static void checkItemBytes(long bytes, Codec<?> codec, RemoteRecord queue) {
        if (bytes != codec.bytes()) {
            throw new IllegalArgumentException("a codec for items of " + codec.bytes() + " bytes, but the queue at ("
                    + RdmaPtr.toString(queue.pointer()) + ") was made for items of " + bytes);
        }
    }
}
