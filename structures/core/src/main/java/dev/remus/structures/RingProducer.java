package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import dev.remus.record.Codec;

/**
 * The steps of an enqueue into a ring: stage an item in local memory, claim a position, wait for its block, publish.
 */
final class RingProducer<T> {
    private final Ring ring;
    private final RingStatus status;
    private final String name;
    private final LocalItems<T> staged;

    /** What the {@code claimed} word was when it was last seen: it only grows. */
    private long next;

    /** Whether the handle dequeues, too. */
    private boolean isConsumer;

    /** @param name of the queue, for messages */
    RingProducer(Ring ring, RingStatus status, String name, Codec<T> codec, ComputeThread ct) {
        this.ring = ring;
        this.status = status;
        this.name = name;
        this.staged = new LocalItems<>(ring.batch(), ring.stride(), codec, ct);
        this.next = ring.claimed.load(ct);
    }

    /** From now on, the handle dequeues, too: it must not wait for room. */
    void becomeConsumer() {
        isConsumer = true;
    }

    /** Encodes an item into a place of local memory. */
    void stage(T item, int place) {
        staged.set(place, item);
    }

    // ------------------------------------------------------------------------------------------------ claiming

    /** Claims the next positions, whether their blocks are free or not; returns the first. */
    long claim(int count, ComputeThread ct) {
        long first = ring.claimed.fetchAdd(count, ct);
        next = first + count;
        return first;
    }

    /** The next position, unless other producers have claimed it since this one last saw the ring. */
    long next() {
        return next;
    }

    /** Claims a position if it is still the next one. */
    boolean tryClaim(long position, ComputeThread ct) {
        next = ring.claimed.compareAndExchange(position, position + 1, ct);
        if (next != position) {
            return false;
        }
        next++;
        return true;
    }

    /** The next position, as it is now. */
    long loadNext(ComputeThread ct) {
        next = ring.claimed.load(ct);
        return next;
    }

    // ------------------------------------------------------------------------------------------------ waiting

    /** Whether the block of a position is known to be free for it. */
    boolean isFree(long position) {
        return position - status.released() < ring.capacity();
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
            waitForConsumer(ct);
        }
    }

    /** One pause of a wait for room. */
    void waitForConsumer(ComputeThread ct) {
        if (isConsumer) {
            throw new IllegalStateException(
                    name + " is full, and " + ct + " is the one that dequeues: it would wait for itself");
        }
        status.pauseForConsumer(ct);
    }

    // ------------------------------------------------------------------------------------------------ publishing

    /**
     * A sequence that WRITEs staged items from a place on, and then their states. All blocks are in front of the ring's
     * end.
     */
    Sequence publishing(long position, int place, int count, ComputeThread ct) {
        for (int i = 0; i < count; i++) {
            staged.setState(place + i, position + i + 1);
        }
        int block = ring.block(position);
        LocalBuffer memory = staged.memory();
        return ct.sequence()
                .write(ring.items.pointer(block), memory, staged.itemAt(place), count * ring.stride())
                .write(ring.states.pointer(block), memory, staged.stateAt(place), count * Long.BYTES);
    }
}
