package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.record.Codec;
import dev.remus.record.RemoteLong;

/**
 * The one that dequeues from a ring. READs the next states and items into local memory, small items some more than were
 * asked for, and counts up what it has dequeued.
 */
final class RingConsumer<T> {
    /** Up to so many bytes, several items cost hardly more than one. */
    private static final int BYTES_AHEAD = 256;

    private final RingLayout ring;
    private final RemoteLong released;
    private final LocalItems<T> local;
    private final int places;
    private final int ahead;

    /** The position of the next item. */
    private long next;

    /** How many items the last look at the ring has found. All of them are in local memory, and stay as they are. */
    private int fetched;

    /** How many of them have been taken. */
    private int taken;

    /** @param first the position of the first item */
    RingConsumer(RingLayout ring, int places, RemoteLong released, long first, Codec<T> codec, ComputeThread ct) {
        this.ring = ring;
        this.released = released;
        this.local = new LocalItems<>(places, ring.stride(), codec, ct);
        this.places = places;
        this.ahead = Math.max(1, BYTES_AHEAD / ring.stride());
        this.next = first;
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
                .read(ring.state(block), local.memory(), local.stateAt(0), count * Long.BYTES)
                .read(ring.item(block), local.memory(), local.itemAt(0), count * ring.stride())
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

    /** Lets producers have the blocks of the next items. Nobody waits for it: the items have been READ already. */
    void release(int count, ComputeThread ct) {
        if (count > 0) {
            next += count;
            ct.postFetchAndAdd(released.pointer(), count);
        }
    }

    /** Sees to it that what was released counts, if it is late or was lost with a lane that broke. */
    void recount(ComputeThread ct) {
        ct.place();
        long missing = next - released.load(ct);
        if (missing != 0) {
            released.fetchAdd(missing, ct);
        }
    }

    /** The position of the next item: what a producer would have to take for the ring to be empty. */
    long next() {
        return next;
    }
}
