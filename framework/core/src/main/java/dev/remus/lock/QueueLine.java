// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.FabricException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;

/**
 * The line of tickets before one of a {@link RemoteQueueLock}, read from back to front.
 *
 * <p><b>Why two threads never hold the lock.</b> A ticket is first in line if each earlier one, back to one that is
 * RELEASED, is SKIPPED. Both are final, so it does not matter that they are read one after the other, nor in which
 * order several words become visible. A ticket that is first stays first until its own word ends, and only its owner
 * ends it, or a thread that has seen the owner lost and cut off. No later ticket is first before that.
 *
 * <p>An abandoned ticket may be resumed, served, and its place used again while the line is read. Then the place of an
 * older ticket may have a word that is ahead of it, and the line is read again.
 *
 * <p><b>Why no waiter waits for ever.</b> It waits for the nearest earlier ticket that has neither ended nor is
 * abandoned. Its owner ends it, or it is ended on the owner's behalf. Abandoned tickets in between are passed by once
 * nothing else is left before them.
 *
 * <p>A waiter that has a {@link WaiterWord} is woken by the thread whose turn ends, and reads the line now and then.
 */
final class QueueLine {
    /** In place of the word of the last turn: it is not over. */
    static final long NOT_FIRST = -1;

    private final QueueWords words;
    private long blocker;
    private long blockerWord;
    private boolean isAnyAbandoned;

    QueueLine(QueueWords words) {
        this.words = words;
    }

    /**
     * The word of the last turn, if all tickets after it and before this one are skipped or abandoned; else {@link
     * #NOT_FIRST}. One round trip for each ticket in between, and one more.
     *
     * @param nearest the word of the ticket before, which was read already
     */
    private long lastTurn(long ticket, long nearest, ComputeThread ct) {
        isAnyAbandoned = false;
        long word = nearest;
        for (long t = ticket - 1; ; t--) {
            boolean hasWord = QueueTicket.ahead(word, t) == 0;
            if (hasWord && QueueTicket.isReleased(word)) {
                return word;
            }
            boolean isAbandoned = hasWord && QueueTicket.state(word) == QueueTicket.ABANDONED;
            if (!isAbandoned && !(hasWord && QueueTicket.state(word) == QueueTicket.SKIPPED)) {
                blocker = t;
                blockerWord = word;
                return NOT_FIRST;
            }
            isAnyAbandoned |= isAbandoned;
            word = words.load(t - 1, ct);
        }
    }

    /**
     * The word of the last turn if this ticket is first in line, else {@link #NOT_FIRST}. If only abandoned tickets are
     * left before it, passes them by.
     *
     * @param nearest the word of the ticket before, which was read already
     */
    long first(long ticket, long nearest, ComputeThread ct) {
        long word = nearest;
        while (true) {
            long last = lastTurn(ticket, word, ct);
            if (last == NOT_FIRST || !isAnyAbandoned || passBy(ticket, last, ct)) {
                return last;
            }
            word = words.load(ticket - 1, ct);
        }
    }

    /** Passes the abandoned tickets between the last turn and this ticket by; false if one of them was resumed. */
    private boolean passBy(long ticket, long last, ComputeThread ct) {
        for (long t = ticket - 1; QueueTicket.ahead(last, t) < 0; t--) {
            long word = words.load(t, ct);
            boolean isAbandoned = word == QueueTicket.abandoned(t, QueueTicket.thread(word));
            long skipped = QueueTicket.skipped(t);
            if (isAbandoned ? !words.swap(t, word, skipped, ct) : word != skipped) {
                return false;
            }
        }
        return true;
    }

    /** The ticket that the last answer {@link #NOT_FIRST} is about: the nearest that is waited for. */
    long blocker() {
        return blocker;
    }

    /** Its word, or one that its place had. */
    long blockerWord() {
        return blockerWord;
    }

    /**
     * Ends a ticket on behalf of its owner, which is lost and cut off. If it was first in line, the owner may have held
     * the lock. If there is an abandoned ticket before it, the owner did not: it would have passed that by.
     *
     * <p>The place of the last turn may be used again. If all tickets in between are skipped, that too shows that this
     * one was first in line: its owner has noted that it was served, before it was lost while it released the lock; or
     * this ticket is the one that uses the place, which was the last that was left.
     */
    void endLost(long ticket, long word, ComputeThread ct) {
        long last = lastTurn(ticket, words.load(ticket - 1, ct), ct);
        boolean wasFirst = last != NOT_FIRST || QueueTicket.ahead(blockerWord, blocker) > 0;
        boolean mayHaveHeld = wasFirst && !isAnyAbandoned;
        long end = mayHaveHeld
                ? QueueTicket.releasedAfterDeath(ticket, QueueTicket.thread(word))
                : QueueTicket.skipped(ticket);
        words.swap(ticket, word, end, ct);
    }

    /**
     * Ends a ticket that its owner has not claimed, as the turn before it has ended, and returns true; or returns false
     * if it is not first in line ({@link #blocker}). An owner that is merely slow then fails to claim it, and draws
     * another.
     *
     * @param word the word of its place
     */
    boolean endUnclaimed(long ticket, long word, ComputeThread ct) {
        long last = first(ticket, words.load(ticket - 1, ct), ct);
        if (last != NOT_FIRST) {
            words.swap(ticket, word, QueueTicket.sameEnd(last, ticket), ct);
        }
        return last != NOT_FIRST;
    }

    /**
     * WRITEs the end of a turn to the word of the next waiter, if that has one. One round trip, and one for each ticket
     * in between that was given up. Nothing depends on the WRITE but time, so a failure is not reported.
     *
     * @param ended a ticket; the word of the one behind it was just READ ({@link QueueWords#behind})
     * @param end the word of the last turn
     */
    void wakeNext(long ended, long end, ComputeThread ct) {
        try {
            for (long t = ended + 1; t < ended + words.length(); t++) {
                long word = words.behind(ct);
                boolean hasWord = QueueTicket.ahead(word, t) == 0;
                if (hasWord && QueueTicket.state(word) == QueueTicket.CLAIMED) {
                    wake(words.waiterBehind(ct), end, ct);
                    return;
                } else if (!hasWord || QueueTicket.isReleased(word)) {
                    return; // a thread that claims it READs the tickets before
                }
                words.loadBehind(t + 1, ct);
            }
        } catch (FabricException e) {
            // The waiter polls the line by and by.
        }
    }

    private static void wake(long waiter, long end, ComputeThread ct) {
        if (waiter != RdmaPtr.NULL) {
            ct.write(waiter, end);
        }
    }
}
