// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import java.util.OptionalInt;

/**
 * The words of a {@link RemoteLock}, with operations that find out what they did if a lane breaks. Without that, each
 * takes one round trip.
 */
final class TicketWords {
    /** In place of an entry that has the turn: no thread holds it. */
    static final long NO_TURN = 0;

    private final RemoteLong next;
    private final RemoteLongArray entries;
    private final RemoteLong lost;
    private boolean throwsUnknownOutcomes;

    TicketWords(RemoteLong next, RemoteLongArray entries, RemoteLong lost) {
        this.next = next;
        this.entries = entries;
        this.lost = lost;
    }

    /** For a {@link dev.remus.node.Cleanup}, which begins again if the outcome of an operation is unknown. */
    void throwUnknownOutcomes() {
        throwsUnknownOutcomes = true;
    }

    private void pauseOrThrow(OutcomeUnknownException e, ComputeThread ct) {
        if (throwsUnknownOutcomes) {
            throw e;
        }
        ct.pause();
    }

    /** The number of entries, which the tickets use in turn. */
    int length() {
        return entries.length();
    }

    private int index(long ticket) {
        return (int) (ticket % entries.length());
    }

    /**
     * Draws the next ticket.
     *
     * @throws OutcomeUnknownException if its number is unknown, and whether it is drawn
     */
    long draw(ComputeThread ct) {
        return next.fetchAdd(1, ct);
    }

    /** Draws a ticket if it is the next one, and perhaps not if the lane breaks. */
    void tryDraw(long ticket, ComputeThread ct) {
        try {
            next.compareAndExchange(ticket, ticket + 1, ct);
        } catch (OutcomeUnknownException e) {
            ct.pause();
        }
    }

    /** READs the number of the next ticket. */
    long next(ComputeThread ct) {
        while (true) {
            try {
                return next.load(ct);
            } catch (OutcomeUnknownException e) {
                pauseOrThrow(e, ct);
            }
        }
    }

    /** READs the entry of a ticket. */
    long load(long ticket, ComputeThread ct) {
        while (true) {
            try {
                return entries.load(index(ticket), ct);
            } catch (OutcomeUnknownException e) {
                pauseOrThrow(e, ct);
            }
        }
    }

    /**
     * Swaps the entry of a ticket, and returns the old value: the expected one if it was swapped. If the outcome is
     * unknown, READs the entry, and swaps again if that still is the expected one. An entry that has changed again by
     * then is returned, and the caller can tell from it whether the swap took effect.
     *
     * @param desired a value that no other thread writes there, or that has the same effect if it does; and that is
     *     never followed by the expected one
     */
    long exchange(long ticket, long expected, long desired, ComputeThread ct) {
        while (true) {
            try {
                return entries.compareAndExchange(index(ticket), expected, desired, ct);
            } catch (OutcomeUnknownException e) {
                pauseOrThrow(e, ct);
                long found = load(ticket, ct);
                if (found != expected) {
                    return found == desired ? expected : found;
                }
            }
        }
    }

    /**
     * READs the entry of the ticket that has the turn; {@link #NO_TURN} if the turn has moved on meanwhile. An entry
     * may name a lost thread that does not hold the lock any more: it may have passed the lock on, and been lost before
     * it could free the entry.
     *
     * <p>READs all entries twice. Each goes through its tickets in order, and each ticket gets the turn once. So if
     * tickets and turns are the same both times, they all were so at one moment: after the first READs, and before the
     * second. At any moment the latest ticket that has the turn is the holder's.
     */
    long turn(ComputeThread ct) {
        long[] first = new long[entries.length()];
        for (int i = 0; i < first.length; i++) {
            first[i] = load(i, ct);
        }
        long latest = first[0];
        for (int i = 0; i < first.length; i++) {
            long again = load(i, ct);
            boolean isSame = TicketState.ahead(again, TicketState.ticket(first[i])) == 0
                    && TicketState.hasTurn(again) == TicketState.hasTurn(first[i]);
            if (!isSame) {
                return NO_TURN;
            }
            boolean isLater = TicketState.ahead(again, TicketState.ticket(latest)) > 0;
            latest = TicketState.hasTurn(again) && (isLater || !TicketState.hasTurn(latest)) ? again : latest;
        }
        return TicketState.hasTurn(latest) ? latest : NO_TURN;
    }

    /**
     * Whether the turn has moved on from a ticket that had it: a later one has it. READs all entries until it finds
     * that one, or has READ them twice without a change, as {@link #turn} does: then no later one had it in between.
     */
    boolean isPassedOn(long ticket, ComputeThread ct) {
        long[] before = new long[entries.length()];
        boolean isSame = false;
        for (int round = 0; !isSame; round++) {
            isSame = round > 0;
            for (int i = 0; i < before.length; i++) {
                long entry = load(i, ct);
                if (TicketState.hasTurn(entry) && TicketState.ahead(entry, ticket) > 0) {
                    return true;
                }
                isSame &= isSameTurn(entry, before[i]);
                before[i] = entry;
            }
        }
        return false;
    }

    private static boolean isSameTurn(long entry, long before) {
        return TicketState.ticket(entry) == TicketState.ticket(before)
                && TicketState.hasTurn(entry) == TicketState.hasTurn(before);
    }

    /** Implements {@link RemoteLock#holder}. */
    OptionalInt holder(ComputeThread ct) {
        long start = next.load(ct);
        long newest = Long.MIN_VALUE;
        OptionalInt holder = OptionalInt.empty();
        for (int i = 0; i < entries.length(); i++) {
            long entry = entries.load(i, ct);
            if (TicketState.hasTurn(entry) && TicketState.ahead(entry, start) > newest) {
                newest = TicketState.ahead(entry, start);
                holder = TicketState.isHeld(entry)
                        ? OptionalInt.of(TicketState.thread(entry))
                        : OptionalInt.empty(); // it is the turn of an unclaimed ticket
            }
        }
        return holder;
    }

    /**
     * Stores the id of a lost holder. Only for the thread that has taken its turn: it is placed before another thread
     * gets the turn, and a thread that is lost meanwhile is cut off before another takes its turn.
     */
    void noteLost(int thread, ComputeThread ct) {
        while (true) {
            try {
                lost.store(thread, ct);
                return;
            } catch (OutcomeUnknownException e) {
                pauseOrThrow(e, ct);
            }
        }
    }

    /** READs the id of the holder that was lost last. */
    int lost(ComputeThread ct) {
        while (true) {
            try {
                return (int) lost.load(ct);
            } catch (OutcomeUnknownException e) {
                pauseOrThrow(e, ct);
            }
        }
    }
}
