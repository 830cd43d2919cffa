// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.node.ComputeThread;

/** The line of tickets before one of a {@link RemoteLock}, read from back to front. */
final class TicketLine {
    /** In place of a thread for which a waiter waits in vain: the line has changed, and is to be read again. */
    static final int CHANGED = -1;

    /** The same, but the line has not changed: the waiter has to wait. */
    static final int UNCHANGED = -2;

    private static final long NONE = -1;

    /** After this many polls an unclaimed ticket is presumed abandoned, if some node is lost or it is overdue. */
    private static final int POLLS_OF_UNCLAIMED = 64;

    private final TicketWords words;
    private final Succession succession;
    private final UnclaimedTickets unclaimed = new UnclaimedTickets();
    private int pollsOfUnclaimed;

    /** The ticket that was found, and its entry. */
    private long ticket = NONE;

    private long entry;

    TicketLine(TicketWords words, Succession succession) {
        this.words = words;
        this.succession = succession;
    }

    /** A wait with a new ticket begins. Later attempts that resume the ticket go on with the same wait. */
    void begin() {
        pollsOfUnclaimed = 0;
        unclaimed.begin();
    }

    /**
     * Reads the nearest earlier ticket that is not abandoned. If its owner is lost, ends it on the owner's behalf.
     * Never pauses.
     *
     * @return {@link #CHANGED}, {@link #UNCHANGED}, or the id of the holder if the wait is in vain: it is this thread,
     *     or it is lost and was not cut off within the loss time-out
     */
    int look(long drawn, ComputeThread ct) {
        if (!findBefore(drawn, ct)) {
            return UNCHANGED;
        }
        return switch (TicketState.state(entry)) {
            case TicketState.HELD, TicketState.HELD_AFTER_DEATH -> lookAtHolder(TicketState.thread(entry), ct);
            case TicketState.WAITING -> lookAtWaiter(ct);
            default -> lookAtUnclaimed(ct);
        };
    }

    private int lookAtHolder(int thread, ComputeThread ct) {
        if (thread == ct.id()) {
            return thread;
        }
        boolean isLost = ct.peers().isLost(thread);
        boolean isInVain = ct.peers().isLostAndNotCutOff(thread);
        long turn = isLost || isInVain ? words.turn(ct) : TicketWords.NO_TURN;
        if (!TicketState.isHeldBy(turn, thread)) {
            return UNCHANGED;
        } else if (isLost) {
            succession.recover(ticket + TicketState.ahead(turn, ticket), turn, ct);
            return CHANGED;
        }
        return thread;
    }

    /** If the waiter is lost, abandons its ticket on its behalf. */
    private int lookAtWaiter(ComputeThread ct) {
        int thread = TicketState.thread(entry);
        if (!ct.peers().isLost(thread)) {
            return UNCHANGED;
        }
        words.exchange(ticket, entry, TicketState.abandoned(ticket, thread), ct);
        return CHANGED;
    }

    /** If the ticket stays unclaimed, its owner may have been lost, or given up, before claiming it: ends it then. */
    private int lookAtUnclaimed(ComputeThread ct) {
        boolean isLong = ++pollsOfUnclaimed % POLLS_OF_UNCLAIMED == 0;
        if (isLong && (ct.peers().isAnyNodeLost() || unclaimed.isOverdue(ct.nanoTime()))) {
            succession.passOnUnclaimed(ticket, entry, ct);
            return CHANGED;
        }
        return UNCHANGED;
    }

    /**
     * Finds the nearest ticket before one that is not abandoned. Entries that are ahead of their ticket here have been
     * passed already. Entries that are behind it still belong to a ticket one round earlier, which precedes all others:
     * where many threads have given up, the holder's is one of these. If several seem to have the turn, it is the
     * latest: the others passed it on, and were lost before they could free their entries.
     *
     * @return whether there is one
     */
    private boolean findBefore(long drawn, ComputeThread ct) {
        ticket = NONE;
        for (long t = drawn - 1; t >= 0 && t >= drawn - words.length(); t--) {
            long seen = words.load(t, ct);
            long ahead = TicketState.ahead(seen, t);
            if (ahead <= 0 && TicketState.state(seen) != TicketState.ABANDONED) {
                if (ahead == 0) {
                    found(t, seen);
                    return true;
                }
                if (TicketState.hasTurn(seen) && t + ahead > ticket) {
                    found(t + ahead, seen);
                }
            }
        }
        return ticket != NONE;
    }

    private void found(long t, long seen) {
        ticket = t;
        entry = seen;
    }
}
