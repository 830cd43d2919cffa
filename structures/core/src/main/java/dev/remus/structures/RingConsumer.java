package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;

/**
 * The steps of a dequeue from a ring: poll for the next items, take them, release their blocks. A poll READs states and
 * items into local memory, and small items ahead of those that are asked for.
 */
final class RingConsumer<T> {
    /** Up to so many bytes, several items cost hardly more than one. */
    private static final int BYTES_AHEAD = 256;

    private final Ring ring;
    private final RingStatus status;
    private final LocalItems<T> local;
    private final int places;
    private final int ahead;

    /** The position of the next item. */
    private long next;

    /** How many items the last look at the ring has found. All of them are in local memory, and stay as they are. */
    private int fetched;

    /** How many of them have been taken. */
    private int taken;

    private RingConsumer(Ring ring, RingStatus status, Codec<T> codec, ComputeThread ct) {
        this.ring = ring;
        this.status = status;
        this.places = ring.batch();
        this.local = new LocalItems<>(places, ring.stride(), codec, ct);
        this.ahead = Math.max(1, BYTES_AHEAD / ring.stride());
        this.next = ring.released.load(ct);
    }

    /**
     * Makes this thread the consumer.
     *
     * @param name of the queue, for messages
     * @throws IllegalStateException if there is one, even if that is this thread through another handle
     */
    static <T> RingConsumer<T> of(Ring ring, RingStatus status, String name, Codec<T> codec, ComputeThread ct) {
        long me = ct.id() + 1L;
        long other = ring.consumer.compareAndExchange(0, me, ct);
        if (other != 0) {
            throw new IllegalStateException(ct + " cannot dequeue from " + name + ": "
                    + (other == me
                            ? "it does so through another handle"
                            : "thread " + (other - 1) + " does, and there can be one only"));
        }
        return new RingConsumer<>(ring, status, codec, ct);
    }

    /** How many of the next items are in local memory, if need be after one look at the ring; at most so many. */
    int poll(int most, ComputeThread ct) {
        if (taken == fetched) {
            fetch(Math.max(most, ahead), ct);
        }
        return Math.min(most, fetched - taken);
    }

    private void fetch(int most, ComputeThread ct) {
        int block = ring.block(next);
        int count = Math.min(Math.min(most, places), ring.capacity() - block);
        ct.sequence()
                .read(ring.states.pointer(block), local.memory(), local.stateAt(0), count * Long.BYTES)
                .read(ring.items.pointer(block), local.memory(), local.itemAt(0), count * ring.stride())
                .execute();
        taken = 0;
        fetched = 0;
        while (fetched < count && local.state(fetched) == next + fetched + 1) {
            fetched++;
        }
    }

    /** Takes the next of the items in local memory. Its block is to be released. */
    T take() {
        T item = local.get(taken);
        taken++;
        return item;
    }

    /** Lets producers have the blocks of the next items. Does not wait: the items have been READ already. */
    void release(int count, ComputeThread ct) {
        if (count > 0) {
            next += count;
            ct.postFetchAndAdd(ring.released.pointer(), count);
        }
    }

    /**
     * Whether all positions that were claimed have been dequeued; for a thread that found no item. A thread that never
     * waits finds out here that a release did not arrive, and that producers wait for room in vain.
     */
    boolean isEmpty(ComputeThread ct) {
        status.readEnds(ct);
        boolean isEmpty = status.claimedNow() == next;
        if (status.releasedNow() != next) {
            recount(ct);
        }
        return isEmpty;
    }

    /** One pause of a wait for an item. */
    void waitForProducers(ComputeThread ct) {
        status.look(ct);
        if (status.released() != next) {
            recount(ct);
        }
        ct.pause();
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
