package dev.remus.node;

import dev.remus.memory.RdmaPtr;

/**
 * The retired blocks that threads of a Compute Node have left behind, since they have closed or are offline. The next
 * thread of the node that looks at the epoch adopts them. Any thread may call its methods.
 *
 * <p>The blocks have no dates. A thread has placed all that it posted before it leaves them. So the one that adopts
 * them may give them a date once it has read the epoch, as if it had retired them itself.
 */
final class RetiredPool {
    private final RetiredBlocks blocks = new RetiredBlocks();

    /** Whether there may be blocks; read without the lock. */
    private volatile boolean isFilled;

    boolean isEmpty() {
        return !isFilled;
    }

    /** Adds a block. */
    synchronized void put(long block, long size) {
        blocks.add(block, size);
        isFilled = true;
    }

    /** Takes all blocks. */
    synchronized void take(Taker taker) {
        for (long block = blocks.takeNewest(); block != RdmaPtr.NULL; block = blocks.takeNewest()) {
            taker.take(block, blocks.takenBytes());
        }
        isFilled = false;
    }

    /** Receives blocks. */
    @FunctionalInterface
    interface Taker {
        void take(long block, long size);
    }
}
