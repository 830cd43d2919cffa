// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

import dev.remus.fabric.LocalBuffer;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLongArray;

// #region comment
/**
 * A deque without locks.
 *
 * <p>A ring of slots. Items are neighbours, and the other slots contain nulls, of which each end has its own kind:
 * right of the items right nulls, then at most one dummy, then left nulls. At least two slots contain nulls, of
 * different kinds.
 *
 * <pre>
 *   slot     0       1       2       3       4       5       6       7
 *        +-------+-------+-------+-------+-------+-------+-------+-------+
 *        | left  | left  | item  | item  | item  | right | right | dummy |
 *        +-------+-------+-------+-------+-------+-------+-------+-------+
 *   a slot: | changes, 30 bits | kind, 2 bits | item, 32 bits |
 * </pre>
 *
 * <p><b>Promises.</b> Linearizable. A push and a pop take effect with their second compare-and-swap; one that finds no
 * room or no item, when it looks for the last time. Obstruction-free: an operation that runs alone ends after at most
 * five looks. Threads that keep disturbing each other may repeat for long; {@link ComputeThread#pause} keeps them
 * apart.
 *
 * <p><b>Death.</b> A thread that dies between its compare-and-swaps leaves a slot with one more change, which means
 * nothing to others. No thread waits for another.
 *
 * <p><b>Round trips.</b> Without contention 3 of a push and of a pop, and 1 of one that finds no room or no item. Each
 * look transfers all slots twice, so a deque should have tens of slots, not thousands.
 *
 * <p><b>Memory ordering.</b> The words of one READ may be of different moments, but the READs of one sequence execute
 * in order ({@link dev.remus.fabric}). If both return the same words, with their numbers of changes, then all slots
 * contained these words at one moment, between the two READs. A number of changes returns after a billion changes of
 * its slot; an operation that takes so long may go wrong.
 *
 * <p>Source: M. Herlihy, V. Luchangco and M. Moir, "Obstruction-Free Synchronization: Double-Ended Queues as an
 * Example", ICDCS 2003, the circular deque. There, an operation reads slot after slot.
 */
// #endregion comment
public final class LockFreeDeque implements RemoteDeque {
    // #region slots
    private static final int ITEM = 0;
    private static final int LEFT_NULL = 1;
    private static final int RIGHT_NULL = 2;
    private static final int DUMMY = 3;
    private static final long CHANGE = 1L << 34;

    private static int kind(long slot) {
        return (int) (slot >>> 32) & 3;
    }

    private static int nullOf(Side side) {
        return side == Side.LEFT ? LEFT_NULL : RIGHT_NULL;
    }

    /** What a slot becomes when its contents change: its number of changes grows too. */
    private static long changed(long slot, int kind, int item) {
        return (slot & -CHANGE) + CHANGE | (long) kind << 32 | item & 0xFFFF_FFFFL;
    }
    // #endregion slots

    // #region handle
    private final RemoteLongArray This; // the slots
    private final LocalBuffer seen; // as this thread has read them
    private final LocalBuffer seenAgain;

    /** Makes an empty deque in remote memory. It has two more slots than room for items. */
    public static RdmaPtr<RemoteLongArray> create(int capacity, ComputeThread ct) {
        RemoteLongArray slots = RemoteLongArray.allocate(capacity + 2, ct);
        for (int i = 0; i < slots.length(); i++) {
            slots.post(i, changed(0, i < slots.length() / 2 ? LEFT_NULL : RIGHT_NULL, 0), ct);
        }
        ct.place(); // before another thread can see the deque
        return slots.block();
    }

    /** Makes a thread's own handle to a deque. */
    public LockFreeDeque(RdmaPtr<RemoteLongArray> This, ComputeThread ct) {
        this.This = RemoteLongArray.open(This, ct); // the array stores its length
        seen = ct.allocateLocal(this.This.rangeBytes(this.This.length()));
        seenAgain = ct.allocateLocal(seen.bytes());
    }
    // #endregion handle

    // #region push
    @Override
    public boolean push(Side side, int item, ComputeThread ct) {
        while (true) {
            int edge = look(side, ct);
            int last = edge - side.step; // the last item, or a null of the other side
            int next = edge + side.step;
            if (edge < 0) {
                // Other threads have changed slots meanwhile.
            } else if (kindAt(edge) == DUMMY) {
                change(last, edge, nullOf(side), 0, ct);
            } else if (kindAt(next) == nullOf(side)) {
                if (change(last, edge, ITEM, item, ct)) {
                    return true;
                }
            } else if (kindAt(next) != DUMMY) { // the edge is this side's only null
                change(edge, next, DUMMY, 0, ct);
            } else if (kindAt(next + side.step) != ITEM) {
                change(next + side.step, next, nullOf(side), 0, ct);
            } else {
                return false; // only one null of this side and the dummy are left
            }
            ct.pause();
        }
    }
    // #endregion push

    // #region pop
    @Override
    public long pop(Side side, ComputeThread ct) {
        while (true) {
            int edge = look(side, ct);
            int last = edge - side.step;
            if (edge < 0) {
                // Other threads have changed slots meanwhile.
            } else if (kindAt(edge) == DUMMY) {
                change(last, edge, nullOf(side), 0, ct);
            } else if (kindAt(last) == ITEM) {
                if (change(edge, last, nullOf(side), 0, ct)) {
                    return (int) at(last);
                }
            } else {
                return EMPTY;
            }
            ct.pause();
        }
    }
    // #endregion pop

    // #region peek
    /**
     * The item at that end, or {@link #EMPTY}. Takes effect when it looks for the last time.
     * One round trip.
     */
    public long peek(Side side, ComputeThread ct) {
        while (true) {
            int edge = look(side, ct);
            if (edge >= 0) {
                return kindAt(edge - side.step) == ITEM ? (int) at(edge - side.step) : EMPTY;
            }
            ct.pause();
        }
    }
    // #endregion peek

    // #region look
    /**
     * Reads all slots as they are at one moment. Returns that side's edge: the slot beside its
     * last item, which contains its first null or the dummy. -1 if there was no such moment.
     */
    private int look(Side side, ComputeThread ct) {
        long slots = This.pointer(0, This.length());
        int bytes = (int) seen.bytes();
        ct.sequence()
                .read(slots, seen, 0, bytes)
                .read(slots, seenAgain, 0, bytes) // begins when the first READ has ended
                .execute();
        for (int offset = 0; offset < bytes; offset += Long.BYTES) {
            if (seen.getLong(offset) != seenAgain.getLong(offset)) {
                return -1;
            }
        }
        int edge = edge(side);
        if (edge < 0) { // empty, and the dummy is the only null that is not of this side
            int dummy = edge(side.opposite());
            change(dummy + side.step, dummy, nullOf(side.opposite()), 0, ct);
        }
        return edge;
    }

    private int edge(Side side) {
        for (int i = 0; i < This.length(); i++) {
            if (isFree(kindAt(i), side) && !isFree(kindAt(i - side.step), side)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether that side may put an item there, possibly after changing its kind. */
    private static boolean isFree(int kind, Side side) {
        return kind == nullOf(side) || kind == DUMMY;
    }
    // #endregion look

    // #region change
    /**
     * Changes a slot if neither it nor its neighbour has changed since that moment. The
     * neighbour counts a change too: an operation that relied on it fails.
     */
    private boolean change(int neighbour, int slot, int kind, int item, ComputeThread ct) {
        long desired = changed(at(slot), kind, item);
        return swap(neighbour, at(neighbour) + CHANGE, ct) && swap(slot, desired, ct);
    }

    private boolean swap(int slot, long desired, ComputeThread ct) {
        return This.compareAndSet(index(slot), at(slot), desired, ct);
    }
    // #endregion change

    private long at(int slot) {
        return seen.getLong((long) index(slot) * Long.BYTES);
    }

    private int kindAt(int slot) {
        return kind(at(slot));
    }

    private int index(int slot) {
        return Math.floorMod(slot, This.length());
    }

    @Override
    public void destroy(ComputeThread ct) {
        This.free(ct);
    }
}
