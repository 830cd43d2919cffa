// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Operation;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.AddressSpace;

/**
 * Locks of one word in remote memory, which neither lanes that break nor lost threads leave taken: 0 while the lock is
 * free, else the mark of its holder.
 *
 * <pre>
 *  mark   63                     24 23             0
 *        +-------------------------+----------------+
 *        | number of this attempt  | 1 + id of the  |
 *        | of the thread           | thread         |
 *        +-------------------------+----------------+
 * </pre>
 *
 * <p>A thread takes a lock by a COMPARE_AND_SWAP from 0 to a {@link #newMark}, alone or in a {@link Sequence}. No other
 * attempt has that mark, so a release can be repeated: it frees this holding of the lock, or nothing.
 *
 * <p>If the holder is lost and cut off ({@link Peers#isLost}), any thread may take the lock from it, by a
 * COMPARE_AND_SWAP from its mark; of several, one succeeds. Nothing of the lost thread arrives after it is cut off, and
 * what has arrived is placed, so the new holder READs all that the lost one has changed. That may be half a change, and
 * the lock does not show it: a structure that uses these locks must be in order after each of its WRITEs.
 *
 * <p>Belongs to its Compute Thread. No method allocates.
 */
public final class LockWords {
    /** The word of a lock that is free. */
    public static final long FREE = 0;

    private static final int HOLDER_BITS = 24;

    private final int thread;
    private final BlockingOperations memory;
    private final AddressSpace space;
    private final Peers peers;
    private final ThreadMetrics metrics;
    private long attempts;

    LockWords(int thread, BlockingOperations memory, AddressSpace space, Peers peers, ThreadMetrics metrics) {
        this.thread = thread;
        this.memory = memory;
        this.space = space;
        this.peers = peers;
        this.metrics = metrics;
    }

    /** A mark for one attempt of this thread to take a lock, or several locks: not 0, and unique in the cluster. */
    public long newMark() {
        return ++attempts << HOLDER_BITS | thread + 1;
    }

    /** The {@link ComputeThread#id} of the thread whose mark it is. */
    public static int holder(long mark) {
        return (int) (mark & (1L << HOLDER_BITS) - 1) - 1;
    }

    /**
     * Takes a lock if it is free. One round trip. If it throws, this thread does not hold the lock. If the lane cannot
     * be connected, or the thread was interrupted, the word may have the mark until its next operation.
     *
     * @return {@link #FREE} if this thread holds the lock now, else the mark of its holder
     * @throws OutcomeUnknownException if the lane broke
     */
    public long tryAcquire(long lock, long mark) {
        return tryAcquire(lock, FREE, mark);
    }

    /**
     * Whether a lock can be acquired where its word was this: it was free, or held by a thread that is lost and cut
     * off. Sends nothing.
     */
    public boolean canAcquire(long seen) {
        return seen == FREE || peers.isLost(holder(seen));
    }

    /**
     * Takes a lock if its word still is this. One round trip. If it throws, this thread does not hold the lock, as
     * {@link #tryAcquire(long, long)}.
     *
     * @param seen a word with which the lock {@linkplain #canAcquire can be acquired}
     * @return {@code seen} if this thread holds the lock now, else what the word is instead
     * @throws OutcomeUnknownException if the lane broke
     */
    public long tryAcquire(long lock, long seen, long mark) {
        metrics.compareAndSwaps++;
        try {
            return memory.compareAndSwap(space.admitted(Operation.COMPARE_AND_SWAP, lock), seen, mark);
        } catch (FabricException e) {
            release(lock, mark);
            throw e;
        }
    }

    /**
     * Frees a lock if it has the mark, and returns when that is done. If lanes break meanwhile, tries again. If it
     * throws, the next operation of this thread tries again. So this also undoes an attempt to take the lock whose
     * outcome is unknown, also if that attempt may still take effect. One round trip.
     */
    public void release(long lock, long mark) {
        memory.release(space.admitted(Operation.COMPARE_AND_SWAP, lock), mark);
        metrics.compareAndSwaps++;
    }

    /**
     * Posts the release of a lock that has the mark, and returns at once. It takes effect after finite time. If it is
     * lost with its lane, it is repeated once this thread notices: by its next operation on that lane, while it {@link
     * ComputeThread#pause pauses}, or when it arrives at a barrier. {@linkplain ComputeThread#place Place} posted
     * WRITEs before: the next holder may come earlier than they.
     */
    public void postRelease(long lock, long mark) {
        memory.postRelease(space.admitted(Operation.COMPARE_AND_SWAP, lock), mark);
        metrics.compareAndSwaps++;
        metrics.notAwaited++;
    }
}
