// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.RdmaPtr;

/**
 * The retired blocks that threads of a Compute Node have left behind, since they have closed or are offline. Each
 * thread of the node that looks at the epoch dates them, and takes those that are due. Any thread may call its methods.
 *
 * <p>A block has no date when it is left here. The thread that leaves it has placed all that it posted. So another one
 * may date it by an epoch that it has read since, as if it had retired the block itself. The dates stay here: a thread
 * that only looks once before it is offline again would see no block become due.
 */
final class RetiredPool {
    private final RetiredBlocks blocks = new RetiredBlocks();

    /** How many blocks were ever put here. */
    private long added;

    /** The bytes of all blocks; read without the lock. */
    private volatile long bytes;

    /** The bytes of the blocks that are here. */
    long bytes() {
        return bytes;
    }

    /** The number of the blocks that are here. */
    synchronized int count() {
        return blocks.count();
    }

    boolean isEmpty() {
        return bytes == 0;
    }

    /** Adds a block, without a date. */
    synchronized void put(long block, long size) {
        blocks.add(block, size);
        added++;
        bytes = blocks.bytes();
    }

    /** How many blocks were ever put here: those that an epoch may date which is read from now on. */
    synchronized long added() {
        return added;
    }

    /** Gives a date to the blocks without one that were among the first {@code known}: an epoch, read since then. */
    synchronized void date(long epoch, long known) {
        blocks.date(epoch, (int) (added - known));
    }

    /** Takes the blocks whose date is this epoch or an earlier one. */
    synchronized void takeUpTo(long epoch, Taker taker) {
        for (long block = blocks.takeUpTo(epoch); block != RdmaPtr.NULL; block = blocks.takeUpTo(epoch)) {
            taker.take(block, blocks.takenBytes());
        }
        bytes = blocks.bytes();
    }

    /** Receives blocks. */
    @FunctionalInterface
    interface Taker {
        void take(long block, long size);
    }
}
