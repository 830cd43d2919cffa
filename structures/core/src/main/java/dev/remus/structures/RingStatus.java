// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * What a handle has seen of the words of a ring that show how far the queue has come. {@code released} only grows, so
 * that an old value is a safe one.
 */
final class RingStatus {
    private static final int LOOK_BYTES = 3 * Long.BYTES;

    private final Ring ring;
    private final String name;
    private final LocalBuffer words;
    private final int fromClaimedToReleased;
    private long released;
    private long consumer;

    /** @param name of the queue, for messages */
    RingStatus(Ring ring, String name, ComputeThread ct) {
        this.ring = ring;
        this.name = name;
        this.fromClaimedToReleased = (int) (ring.released.offset() - ring.claimed.offset());
        this.words = ct.allocateLocal(fromClaimedToReleased + LOOK_BYTES);
        this.released = ring.released.load(ct);
    }

    /**
     * Reads how far the consumer has come, which thread that is, and whether the queue is still there. One round trip.
     */
    void look(ComputeThread ct) {
        ct.read(ring.released.pointer(), words, 0, LOOK_BYTES);
        released = words.getLong(0);
        consumer = words.getLong(Long.BYTES);
        checkExists(words.getLong(2 * Long.BYTES));
    }

    /**
     * The same, and returns {@code claimed}, which is READ in the same round trip. The two words need not be of one
     * moment: {@code released} only grows, and {@code claimed} is only what a swap expects.
     */
    long lookAtEnds(ComputeThread ct) {
        ct.read(ring.claimed.pointer(), words, 0, fromClaimedToReleased + LOOK_BYTES);
        released = words.getLong(fromClaimedToReleased);
        consumer = words.getLong(fromClaimedToReleased + Long.BYTES);
        checkExists();
        return words.getLong(0);
    }

    private void checkExists(long destroyed) {
        if (destroyed != 0) {
            throw new QueueDestroyedException(name + " has been destroyed");
        }
    }

    /** All items below this position had been dequeued when {@link #look} was called last. */
    long released() {
        return released;
    }

    /** Waits for a moment, for the consumer if there is one. */
    void pauseForConsumer(ComputeThread ct) {
        if (consumer == 0) {
            ct.pause();
        } else {
            ct.pauseFor((int) consumer - 1);
        }
    }

    /** READs {@code claimed} and {@code released} together, for {@link #claimedNow} and {@link #releasedNow}. */
    void readEnds(ComputeThread ct) {
        ct.read(ring.claimed.pointer(), words, 0, fromClaimedToReleased + Long.BYTES);
    }

    /** Begins a sequence that READs the same, and whether the queue is still there, for {@link #checkExists()}. */
    Sequence readingEnds(ComputeThread ct) {
        return ct.sequence().read(ring.claimed.pointer(), words, 0, fromClaimedToReleased + LOOK_BYTES);
    }

    /** Throws if that sequence has found that the queue has been destroyed. */
    void checkExists() {
        checkExists(words.getLong(fromClaimedToReleased + 2 * Long.BYTES));
    }

    /** What {@link #readEnds} has read as {@code claimed}. */
    long claimedNow() {
        return words.getLong(0);
    }

    /** What {@link #readEnds} has read as {@code released}. */
    long releasedNow() {
        return words.getLong(fromClaimedToReleased);
    }
}
