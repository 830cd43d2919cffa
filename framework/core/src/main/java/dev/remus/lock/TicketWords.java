package dev.remus.lock;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;

/**
 * The words of a {@link RemoteLock}, with operations that find out what they did if a lane breaks. Without that, each
 * takes one round trip.
 */
final class TicketWords {
    private final RemoteLong next;
    private final RemoteLongArray entries;

    TicketWords(RemoteLong next, RemoteLongArray entries) {
        this.next = next;
        this.entries = entries;
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
                ct.pause();
            }
        }
    }

    /** READs the entry of a ticket. */
    long load(long ticket, ComputeThread ct) {
        while (true) {
            try {
                return entries.load(index(ticket), ct);
            } catch (OutcomeUnknownException e) {
                ct.pause();
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
                ct.pause();
                long found = load(ticket, ct);
                if (found != expected) {
                    return found == desired ? expected : found;
                }
            }
        }
    }

    /**
     * Whether a lost thread holds the lock. It need not, although an entry names it: it may have passed the lock on,
     * and been lost before it could free the entry.
     *
     * <p>READs all entries twice. Each goes through its tickets in order, and each ticket gets the turn once. So if
     * tickets and turns are the same both times, they all were so at one moment: after the first READs, and before the
     * second. At any moment the latest ticket that has the turn is the holder's.
     */
    boolean isHolder(int thread, ComputeThread ct) {
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
                return false;
            }
            boolean isLater = TicketState.ahead(again, TicketState.ticket(latest)) > 0;
            latest = TicketState.hasTurn(again) && (isLater || !TicketState.hasTurn(latest)) ? again : latest;
        }
        return TicketState.state(latest) == TicketState.HELD && TicketState.thread(latest) == thread;
    }
}
