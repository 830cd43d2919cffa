package dev.remus.structures.baseline;

import dev.remus.memory.RdmaPtr;
import dev.remus.record.Codec;
import dev.remus.record.RemoteRecord;

/** What the lock-based queues check. */
final class LockQueues {
    private LockQueues() {}

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
