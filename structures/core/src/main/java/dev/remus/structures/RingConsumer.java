// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.node.StampedArray;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a dequeue from a ring: poll for the next items, take them, release their blocks. A poll READs states and
 * items into local memory, and small items ahead of those that are asked for.
 */
final class RingConsumer {
    /** Up to so many bytes, several items cost hardly more than one. */
    private static final int BYTES_AHEAD = 256;

    private final Ring ring;
    private final RingStatus status;
    private final StampedArray blocks;
    private final LocalItems local;
    private final long released;
    private final int places;
    private final int ahead;

    /** Null under {@code --on-node-loss abort}. */
    private final @Nullable OpenClaims claims;

    /** The position of the next item. */
    private long next;

    /** How many items the last look at the ring has found. All of them are in local memory, and stay as they are. */
    private int fetched;

    /** How many of them have been taken. */
    private int taken;

    private RingConsumer(Ring ring, RingStatus status, ComputeThread ct) {
        this.ring = ring;
        this.status = status;
        this.places = ring.batch();
        this.blocks = ring.blocks(ct);
        this.local = new LocalItems(blocks, places);
        this.released = ring.released.pointer();
        this.ahead = Math.max(1, BYTES_AHEAD / ring.stride());
        this.claims = OpenClaims.of(ring, ct);
        this.next = ring.released.load(ct);
    }

    /**
     * Makes this thread the consumer, if there is none, or the one before is lost and cut off.
     *
     * @param name of the queue, for messages
     * @param isRepeated whether the handle has tried before, and it is unknown whether it became the consumer
     * @throws IllegalStateException if there is one, even if that is this thread through another handle
     */
    static RingConsumer of(Ring ring, RingStatus status, String name, boolean isRepeated, ComputeThread ct) {
        long me = ct.id() + 1L;
        long expected = 0;
        long other = ring.consumer.compareAndExchange(expected, me, ct);
        while (other != expected && !(other == me && isRepeated)) {
            if (other == me || !ct.peers().isLost((int) other - 1)) {
                throw new IllegalStateException(ct + " cannot dequeue from " + name + ": "
                        + (other == me
                                ? "it does so through another handle"
                                : "thread " + (other - 1) + " does, and there can be one only"));
            }
            expected = other;
            other = ring.consumer.compareAndExchange(expected, me, ct);
        }
        return new RingConsumer(ring, status, ct);
    }

    /** How many of the next items are in local memory, if need be after one look at the ring; at most so many. */
    int poll(int most) {
        if (taken == fetched) {
            fetch(Math.max(most, ahead));
        }
        return Math.min(most, fetched - taken);
    }

    /** The same for a batch. */
    int pollBatch(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at most " + most + " items: needs at least 1");
        }
        return poll(most);
    }

    /** Whether the next item is in local memory, after one look at the ring if need be, and if not, why. */
    Dequeued.Kind tryPoll(ComputeThread ct) {
        while (poll(1) == 0) {
            if (isEmpty(ct)) {
                return Dequeued.Kind.EMPTY;
            }
            if (!passOver(ct)) {
                return Dequeued.Kind.NOT_READY;
            }
        }
        return Dequeued.Kind.ITEM;
    }

    /** Waits until the next item is in local memory, for some time. */
    void awaitFor(long nanos, ComputeThread ct) {
        long start = ct.nanoTime();
        while (poll(1) == 0 && ct.nanoTime() - start < nanos) {
            waitForProducers(ct);
        }
    }

    /**
     * Passes over the next position if no producer will fill it; for a consumer that has just found it claimed. In a
     * relaxed queue, a producer with another position may take the block, unless the consumer takes it first.
     *
     * @return false if the position may still be filled
     */
    private boolean passOver(ComputeThread ct) {
        if (claims == null || !claims.areOver(next, ct)) {
            return false;
        }
        boolean isFilled = poll(1) > 0;
        if (!isFilled
                && (!claims.isBlockOpen(next)
                        || ring.positions().compareAndSet(ring.block(next), next, next + ring.capacity(), ct))) {
            next++;
            ct.postFetchAndAdd(released, 1);
        }
        return true;
    }

    /** Whether it is worth while to poll once more, after a poll in vain: the consumer has passed over a position. */
    boolean hasPassedOver(ComputeThread ct) {
        return !isEmpty(ct) && passOver(ct);
    }

    private void fetch(int most) {
        int block = ring.block(next);
        int count = Math.min(Math.min(most, places), ring.capacity() - block);
        fetched = blocks.read(block, count, next + 1);
        taken = 0;
    }

    /** The place in local memory of the next item that a poll has found. Those after it follow. */
    int place() {
        return taken;
    }

    /** The places in local memory. An item stays there until the next look at the ring. */
    LocalItems items() {
        return local;
    }

    /**
     * Takes the next items and lets producers have their blocks. Does not wait: the items have been READ already.
     */
    void take(int count, ComputeThread ct) {
        if (count > 0) {
            taken += count;
            next += count;
            ct.postFetchAndAdd(released, count);
        }
    }

    /**
     * Whether all positions that were claimed have been dequeued; for a thread that found no item. A thread that never
     * waits finds out here that a release did not arrive, and that producers wait for room in vain.
     */
    boolean isEmpty(ComputeThread ct) {
        if (claims == null) {
            status.readEnds(ct);
        } else {
            claims.read(next, status.readingEnds(ct));
        }
        boolean isEmpty = status.claimedNow() == next;
        if (status.releasedNow() != next) {
            recount(ct);
        }
        return isEmpty;
    }

    /** One pause of a wait for an item. */
    void waitForProducers(ComputeThread ct) {
        if (claims != null) {
            waitOrPassOver(claims, ct);
            return;
        }
        status.look(ct);
        if (status.released() != next) {
            recount(ct);
        }
        ct.pause();
    }

    private void waitOrPassOver(OpenClaims by, ComputeThread ct) {
        boolean isPassedOver = hasPassedOver(ct);
        status.checkExists();
        if (!isPassedOver) {
            by.pause(ct);
        }
    }

    /** Sees to it that what was released counts, if it is late or was lost with a lane that broke. */
    private void recount(ComputeThread ct) {
        ct.place();
        long missing = next - ring.released.load(ct);
        if (missing != 0) {
            ring.released.fetchAdd(missing, ct);
        }
    }
}
