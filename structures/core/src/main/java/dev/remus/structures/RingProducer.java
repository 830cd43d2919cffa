// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.node.StampedArray;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an enqueue into a ring: stage an item in local memory, claim a position, wait for its block, publish.
 */
final class RingProducer {
    private final Ring ring;
    private final RingStatus status;
    private final String name;
    private final StampedArray blocks;
    private final LocalItems staged;
    private final long claimed;
    private final int capacity;
    private final RandomBackoff backoff = new RandomBackoff();

    /** Null under {@code --on-node-loss abort}. */
    private final @Nullable OpenClaim claim;

    /** What the {@code claimed} word was when it was last seen: it only grows. */
    private long next;

    /** Whether the handle dequeues, too. */
    private boolean isConsumer;

    /** @param name of the queue, for messages */
    RingProducer(Ring ring, RingStatus status, String name, ComputeThread ct) {
        this.ring = ring;
        this.status = status;
        this.name = name;
        this.blocks = ring.blocks(ct);
        this.staged = new LocalItems(blocks, ring.batch());
        this.claimed = ring.claimed.pointer();
        this.capacity = ring.capacity();
        this.next = ring.claimed.load(ct);
        this.claim = OpenClaim.of(ring, ct);
    }

    /** From now on, the handle dequeues, too: it must not wait for room. */
    void becomeConsumer() {
        isConsumer = true;
    }

    /** The places in local memory from which items are published. */
    LocalItems staged() {
        return staged;
    }

    // ------------------------------------------------------------------------------------------------ claiming

    /** Claims the next positions, whether their blocks are free or not; returns the first. */
    long claim(int count, ComputeThread ct) {
        long first = claim == null ? ct.fetchAndAdd(claimed, count) : claim.take(next, count, ct);
        next = first + count;
        return first;
    }

    /** The next position, unless other producers have claimed it since this one last saw the ring. */
    long next() {
        return next;
    }

    /** Claims a position if it is still the next one. */
    boolean tryClaim(long position, ComputeThread ct) {
        next = swap(position, claimed, position + 1, ct);
        if (next != position) {
            return false;
        }
        next++;
        backoff.won();
        return true;
    }

    /**
     * Backs off after another producer has claimed the next position. After a long pause, looks which is the next now:
     * a swap of the one that was seen before would be in vain.
     */
    void backOff(ComputeThread ct) {
        if (backoff.lost(ct)) {
            next = status.lookAtEnds(ct);
        }
    }

    /**
     * Swaps a word that is still a position, and so gives it to this thread.
     *
     * @return what the word was before
     */
    long swap(long position, long pointer, long desired, ComputeThread ct) {
        return claim == null
                ? ct.compareAndSwap(pointer, position, desired)
                : claim.compareAndSwap(position, pointer, position, desired, ct);
    }

    /** Whether what a producer has claimed can be given up: the consumer then passes over it. */
    boolean canGiveUp() {
        return claim != null;
    }

    /** Gives up what was claimed and not published, if anything was. */
    void giveUp(ComputeThread ct) {
        if (claim != null) {
            claim.giveUp(ct);
        }
    }

    /** The same after a failure; returns the failure to throw. */
    RuntimeException givenUp(RuntimeException failure, ComputeThread ct) {
        return claim == null ? failure : claim.giveUp(failure, ct);
    }

    /** The next position, as it is now. */
    long loadNext(ComputeThread ct) {
        next = ring.claimed.load(ct);
        return next;
    }

    // ------------------------------------------------------------------------------------------------ waiting

    /** Whether the block of a position is known to be free for it. */
    boolean isFree(long position) {
        return position - status.released() < capacity;
    }

    /** The same, with a look at the ring if need be. */
    boolean isFree(long position, ComputeThread ct) {
        if (!isFree(position)) {
            status.look(ct);
        }
        return isFree(position);
    }

    /** How many positions from this one on, itself included, are known to be free and in front of the ring's end. */
    int freeFrom(long position) {
        return (int) Math.min(status.released() + ring.capacity() - position, ring.capacity() - ring.block(position));
    }

    /** Returns when the block of a position is free for it. */
    void awaitFree(long position, ComputeThread ct) {
        while (!isFree(position, ct)) {
            waitForConsumer(position, ct);
        }
    }

    /** One pause of a wait for room, for a producer that will fill no position below this one. */
    void waitForConsumer(long position, ComputeThread ct) {
        if (isConsumer) {
            throw new IllegalStateException(
                    name + " is full, and " + ct + " is the one that dequeues: it would wait for itself");
        }
        if (claim != null) {
            claim.moveTo(position, ct);
        }
        status.pauseForConsumer(ct);
    }

    // ------------------------------------------------------------------------------------------------ publishing

    /**
     * WRITEs staged items from a place on, and then their states; returns when they are placed. All blocks are in front
     * of the ring's end. More items of the operation follow.
     */
    void publish(long position, int place, int count) {
        blocks.write(place, ring.block(position), count, position + 1);
    }

    /** The same for the last items of the operation. */
    void publishLast(long position, int place, int count) {
        if (claim == null) {
            publish(position, place, count);
        } else {
            claim.fill(blocks, place, ring.block(position), count, position + 1);
        }
    }

    /** The same, but returns at once, unless claims can be given up: those of different operations must not mix. */
    void post(long position, int place, int count) {
        if (claim == null) {
            blocks.post(place, ring.block(position), count, position + 1);
        } else {
            publishLast(position, place, count);
        }
    }
}
