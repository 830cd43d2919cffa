// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;

/** Whether a {@link TurnRing} has room for the item of a position, which a thread has claimed or is about to claim. */
final class TurnRoom {
    /** A pause in a long wait is such a part of it, so that the wait becomes longer by at most that part. */
    private static final int PART_OF_THE_WAIT = 8;

    private static final long MOST_NANOS = 30_000_000;

    private final TurnAccess ring;
    private final int capacity;

    TurnRoom(TurnAccess ring, int capacity) {
        this.ring = ring;
        this.capacity = capacity;
    }

    /** Whether there may be room, before a position is claimed in vain. */
    boolean mayBe(ComputeThread ct) {
        return isNear(ring.tail()) || isFor(ring.lookAtTail(ct), ct);
    }

    /** Whether there is room for a position by what is known of the head. */
    boolean isNear(long position) {
        return position - ring.head() < capacity;
    }

    private boolean isNear(long position, ComputeThread ct) {
        if (!isNear(position)) {
            ring.lookAtHead(ct);
        }
        return isNear(position);
    }

    /**
     * Whether fewer than {@code capacity} positions before this one have an item or may get one. If not, there are
     * {@code capacity} items now.
     */
    boolean isFor(long position, ComputeThread ct) {
        for (int looks = 0; ; looks++) {
            if (isNear(position, ct)) {
                return true;
            }
            long head = ring.head();
            long items = 0;
            long open = 0;
            ring.beginScan();
            for (long p = head; p < position; p++) {
                long word = ring.scan(p, position, ct);
                if (looks >= TurnAccess.PATIENCE) {
                    word = ring.close(p, word, ct);
                }
                items += ring.hasItem(p, word) ? 1 : 0;
                open += ring.isOpen(p, word) ? 1 : 0;
            }
            if (items + open < capacity) {
                return true;
            }
            if ((items >= capacity || looks > TurnAccess.PATIENCE) && ring.lookAtHead(ct) == head) {
                return false;
            }
            ct.pause();
        }
    }

    /**
     * Waits for room for a position: until an item is taken that is {@code capacity} positions in front. No other
     * thread waits for that one, so each polls a cell of its own, and looks rarely at what all threads use.
     */
    void await(long position, ComputeThread ct) {
        if (!isNear(position, ct)) {
            awaitFrom(ct.nanoTime(), position, ct);
        }
    }

    private void awaitFrom(long begin, long position, ComputeThread ct) {
        long inFront = position - capacity;
        boolean hasRoom = false;
        for (int looks = 1; !hasRoom; looks++) {
            pause(looks, begin, ct);
            if (looks % TurnAccess.LOOKS_AT_ALL == 0) {
                ring.lookAtTail(ct);
                hasRoom = isFor(position, ct);
            } else {
                hasRoom = ring.isOver(inFront, ct) && isNear(position, ct);
            }
        }
    }

    /** A look at all cells takes several round trips, which {@link ComputeThread#pause()} would take for work. */
    private static void pause(int looks, long begin, ComputeThread ct) {
        if (looks < TurnAccess.LOOKS_AT_ALL) {
            ct.pause();
        } else {
            ct.pause(Math.min((ct.nanoTime() - begin) / PART_OF_THE_WAIT, MOST_NANOS));
        }
    }
}
