// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Operation;
import java.util.SplittableRandom;

/**
 * The far end of a lane, the responder in InfiniBand's terms. It executes requests on the words of the Memory Node's
 * segments, step by step, with the weaknesses that are enabled.
 */
final class Responder {
    private final SimWorld world;
    private final SimMemory memory;
    private final SimSegment.Waiter lane;
    private final UnplacedWords unplaced = new UnplacedWords();

    Responder(SimWorld world, SimMemory memory, SimSegment.Waiter lane) {
        this.world = world;
        this.memory = memory;
        this.lane = lane;
    }

    /** Whether words of executed WRITEs are on their way to memory. */
    boolean hasUnplaced() {
        return !unplaced.isEmpty();
    }

    /** The number of words of WRITEs that are not visible yet. */
    int unplacedWords() {
        return unplaced.size();
    }

    /** Whether some of these are words of this request too. */
    boolean hasUnplacedFor(SimRequest other) {
        SimSegment segment = unplaced.isEmpty() ? null : memory.find(other.segment);
        return segment != null && unplaced.isFor(segment, other.offset, other.end());
    }

    /** Whether an access of a step that it may take with this request passes a test. */
    boolean mayDoNext(SimRequest r, AccessPredicate test) {
        SimSegment segment = memory.find(r.segment);
        return segment != null && test.test(segment.word(r.offset), r.words, r.operation != Operation.READ);
    }

    /** Whether placing the next word passes a test. */
    boolean mayPlaceNext(AccessPredicate test) {
        return !unplaced.isEmpty() && test.test(unplaced.firstWord(), 1, true);
    }

    /** Whether a step with this request is something else than placing a word, and does not wait for an atomic. */
    boolean canStep(SimRequest r) {
        if (r.operation == Operation.WRITE) {
            return true;
        }
        SimSegment segment = memory.find(r.segment);
        boolean waits = !r.hasRead && r.operation != Operation.READ && segment != null && segment.isBusy(r.offset);
        return isPlacedBefore(r) && !waits;
    }

    /**
     * Executes a request, or some part of it.
     *
     * @return {@link CompletionStatus#SUCCESS}, or why the request is refused
     */
    CompletionStatus step(SimRequest r) {
        if (memory.isGone()) {
            return CompletionStatus.PEER_LOST;
        }
        SimSegment segment = memory.find(r.segment);
        if (segment == null || r.offset < 0 || r.offset > segment.bytes() - (long) r.words * Long.BYTES) {
            return CompletionStatus.REMOTE_ACCESS_ERROR;
        }
        if (r.operation == Operation.WRITE) {
            write(r, segment);
        } else if (isPlacedBefore(r)) {
            if (r.operation == Operation.READ) {
                read(r, segment);
            } else {
                change(r, segment);
            }
        } else {
            placeNext();
        }
        return CompletionStatus.SUCCESS;
    }

    private boolean isPlacedBefore(SimRequest r) {
        return unplaced.isEmpty() || unplaced.firstRequest() > r.number;
    }

    /** Places the next word and, unless transfers are torn, the rest of its WRITE. */
    void placeNext() {
        long request = unplaced.firstRequest();
        do {
            unplaced.place();
            world.placed(request);
        } while (!isTorn() && !unplaced.isEmpty() && unplaced.firstRequest() == request);
    }

    private boolean isTorn() {
        return world.may(Weakness.TORN_TRANSFERS);
    }

    /** Of the words that requests from this one on WRITE, only some of the first arrive. */
    void loseWords(long fromRequest, SplittableRandom random) {
        unplaced.lose(fromRequest, random.nextInt(unplaced.count(fromRequest) + 1));
    }

    private void read(SimRequest r, SimSegment segment) {
        do {
            int word = r.takeWord(world);
            r.local.putLong(
                    r.localOffset + (long) word * Long.BYTES, segment.read(r.offset + (long) word * Long.BYTES));
        } while (!isTorn() && r.left > 0);
        if (r.left == 0) {
            noteSeen(r, segment);
            r.end(CompletionStatus.SUCCESS, world);
        }
    }

    /** Records the word that the poster saw last: if it waits now, it waits for a change there. */
    private static void noteSeen(SimRequest r, SimSegment segment) {
        if (r.poster != null) {
            r.poster.watcher().saw(segment, r.offset, segment.get(r.offset));
        }
    }

    /** Takes the data word by word, and acknowledges the WRITE once all of it is on its way. */
    private void write(SimRequest r, SimSegment segment) {
        boolean later = world.may(Weakness.UNPLACED_WRITES);
        do {
            int word = r.takeWord(world);
            long offset = r.offset + (long) word * Long.BYTES;
            long value = r.local.getLong(r.localOffset + (long) word * Long.BYTES);
            if (later || !unplaced.isEmpty()) {
                unplaced.add(segment, offset, value, r.number);
            } else {
                segment.set(offset, value);
                world.placed(r.number);
            }
        } while ((later || !isTorn()) && r.left > 0);
        if (r.left == 0) {
            r.end(CompletionStatus.SUCCESS, world);
        }
    }

    /**
     * Executes an atomic, which reads and writes in two steps. No other atomic on that word comes in between, but a
     * WRITE may.
     */
    private void change(SimRequest r, SimSegment segment) {
        if (!r.hasRead) {
            if (segment.isBusy(r.offset)) {
                if (r.blockedAt == null) {
                    r.blockedAt = segment;
                    segment.block(lane, r.offset); // until the other atomic has ended
                }
                return;
            }
            if (r.blockedAt != null) { // its lane, ready for other work, came to it before it was admitted
                r.blockedAt = null;
                segment.unblock(lane, r.offset);
            }
            r.value = segment.read(r.offset);
            r.hasRead = true;
            r.local.putLong(r.localOffset, r.value);
            if (world.may(Weakness.SPLIT_ATOMICS)) {
                world.locks(segment.word(r.offset));
                segment.begin(r.offset);
                return;
            }
        } else {
            world.unlocks(segment.word(r.offset));
        }
        segment.end(r.offset);
        if (r.operation == Operation.FETCH_AND_ADD) {
            segment.set(r.offset, r.value + r.operand);
        } else if (r.value == r.operand) {
            segment.set(r.offset, r.swap);
        } else if (world.may(Weakness.FAILED_CAS_WRITES_BACK)) {
            segment.set(r.offset, r.value);
        }
        noteSeen(r, segment);
        r.end(CompletionStatus.SUCCESS, world);
    }

    /** Releases the word of an atomic that has read and will not write. */
    void giveUp(SimRequest r) {
        SimSegment segment = memory.find(r.segment);
        if (r.hasRead && !r.isDone() && segment != null) {
            segment.end(r.offset);
        }
    }
}
