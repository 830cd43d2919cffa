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
                long found = load(ticket, ct);
                if (found != expected) {
                    return found == desired ? expected : found;
                }
            }
        }
    }
}
