// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;

/**
 * One end of a {@link LockFreeQueue} according to one thread: a reference from which it walks. Each thread
 * publishes its own as a hint; a thread that falls behind reads the hints of all.
 */
final class QueueEnd {
    private final CellWords words;
    private final RemoteLongArray hints;
    private final int me;

    /** The hints, as they were READ. */
    private LocalBuffer seen;

    private long at;

    /** Whether other threads used this end between the last two operations of this thread. */
    private boolean isCrowded = true;

    /** Whether the hints are still to be read before this operation starts to walk. */
    private boolean isStale;

    /** Whether they led further than this thread's own reference. */
    private boolean wasBehind;

    /** How many cells this operation has gone on from. */
    private int hops;

    /** Whether this operation has reached a cell that had been reused. */
    private boolean isAstray;

    QueueEnd(CellWords words, RemoteLongArray hints, long at, ComputeThread ct) {
        this.words = words;
        this.hints = hints;
        this.me = ct.id();
        this.at = at;
        this.seen = allocateSeen(ct);
    }

    private LocalBuffer allocateSeen(ComputeThread ct) {
        return ct.allocateLocal((long) hints.length() * Long.BYTES);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        seen = allocateSeen(ct);
    }

    /** An operation begins. */
    void begin() {
        isStale = isCrowded;
        wasBehind = false;
        hops = 0;
        isAstray = false;
    }

    /** The end according to this thread: a reference to a cell, perhaps out of date. */
    long at() {
        return at;
    }

    /** Goes to a cell that this thread itself has made the end. */
    void moveTo(long reference) {
        at = reference;
    }

    /** Reads the hints before an operation's first step, if others used this end. */
    void freshen(ComputeThread ct) {
        if (isStale) {
            isStale = false;
            wasBehind = catchUp(ct);
        }
    }

    /**
     * Goes on to a successor, and after 2, 4, 8 of them and so on to the latest hint. Not after going astray: a hint of
     * a higher generation can be further behind, and lead astray again.
     */
    void hop(long successor, ComputeThread ct) {
        at = successor;
        hops++;
        if (hops > 1 && (hops & (hops - 1)) == 0 && !isAstray) {
            catchUp(ct);
        }
    }

    /**
     * The cell has been reused: tries the latest hint once, and then starts at the horizon, whose cell is in the list.
     */
    void restart(RemoteLong horizon, ComputeThread ct) {
        if (isAstray || !catchUp(ct)) {
            at = horizon.load(ct);
        }
        isAstray = true;
        ct.pause();
    }

    /** An operation ends, of which so many hops were over its own cells. */
    void end(int ownHops) {
        isCrowded = wasBehind || hops > ownHops;
    }

    /** Publishes this thread's reference as a hint. Does not wait. */
    void publish(ComputeThread ct) {
        hints.post(me, at, ct);
    }

    /**
     * Goes to the hint of the latest generation, if that is later than this thread's reference; returns whether it was.
     */
    private boolean catchUp(ComputeThread ct) {
        hints.load(seen, ct);
        long latest = at;
        for (int i = 0; i < hints.length(); i++) {
            long hint = seen.getLong((long) i * Long.BYTES);
            if (words.isLater(hint, latest)) {
                latest = hint;
            }
        }
        boolean isLater = latest != at;
        at = latest;
        return isLater;
    }
}
