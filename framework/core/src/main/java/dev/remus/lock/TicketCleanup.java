// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.node.Cleanup;
import dev.remus.node.ComputeThread;

/**
 * What a thread has to do at a {@link RemoteLock} after one of its operations there has failed: it abandons its ticket,
 * and passes on the turn that it has, or has taken from another thread. It begins when nothing of this thread can take
 * effect any more, and finds out from the entries which steps are done. So it can be repeated from the beginning.
 */
final class TicketCleanup implements Runnable {
    private final TicketWords words;
    private final Succession succession;
    private final ComputeThread ct;

    /** The ticket to be abandoned, or whose turn is to be passed on; NONE for none. */
    private long ticket = Succession.NONE;

    /** Whether this thread has drawn it; otherwise another thread claims it if this one has not. */
    private boolean isDrawn;

    /** Whether it may have drawn another one, whose number it does not know. */
    private boolean seeks;

    /** Whether that is known, or is to be seen from the entry. */
    private boolean isAfterDeathKnown;

    private boolean isAfterDeath;

    /** A ticket whose turn this thread may have taken, and the lost thread from which. */
    private long taken = Succession.NONE;

    private long takenFrom = Succession.NONE;

    private TicketCleanup(TicketWords words, ComputeThread ct) {
        this.words = words;
        words.throwUnknownOutcomes();
        succession = new Succession(words);
        this.ct = ct;
    }

    /**
     * Leaves the line.
     *
     * @param words those of the lock, for this cleanup only
     * @param ticket the ticket that this thread may have claimed
     * @param isDrawn whether it has drawn that itself
     * @param seeks whether it may have drawn a ticket and claimed none
     * @param during what it was about to take over
     */
    static void leave(
            TicketWords words, long ticket, boolean isDrawn, boolean seeks, Succession during, ComputeThread ct) {
        TicketCleanup cleanup = new TicketCleanup(words, ct);
        cleanup.ticket = ticket;
        cleanup.isDrawn = isDrawn;
        cleanup.seeks = seeks;
        cleanup.taken = during.taken();
        cleanup.takenFrom = during.takenFrom();
        during.forgetTaken();
        Cleanup.run(cleanup, ct);
    }

    /** Passes on the lock. */
    static void passOn(TicketWords words, long held, boolean isAfterDeath, ComputeThread ct) {
        TicketCleanup cleanup = new TicketCleanup(words, ct);
        cleanup.ticket = held;
        cleanup.isAfterDeathKnown = true;
        cleanup.isAfterDeath = isAfterDeath;
        Cleanup.run(cleanup, ct);
    }

    @Override
    public void run() {
        boolean hasAbandoned = ticket != Succession.NONE && abandon();
        if (seeks && !hasAbandoned) {
            abandonAny();
        }
        if (taken != Succession.NONE) {
            passOn(taken, words.load(taken, ct), takenFrom);
        }
    }

    /** Abandons the ticket, or passes its turn on; returns whether it was this thread's. */
    private boolean abandon() {
        while (true) {
            long entry = words.load(ticket, ct);
            boolean isClaimed = TicketState.ahead(entry, ticket) == 0 && TicketState.thread(entry) == ct.id();
            if (TicketState.ahead(entry, ticket) == 0 && TicketState.isUnclaimed(entry)) {
                if (!isDrawn || isGivenUp(entry)) {
                    return isDrawn;
                }
            } else if (isClaimed && TicketState.state(entry) == TicketState.WAITING) {
                words.exchange(ticket, entry, TicketState.abandoned(ticket, ct.id()), ct);
            } else {
                passOn(ticket, entry, Succession.NONE);
                return isClaimed;
            }
        }
    }

    /**
     * Abandons any unclaimed ticket, as a thread that seeks one claims any ({@link RemoteLock}): then there are no more
     * unclaimed tickets than threads that seek them. If it abandons two, because it is repeated, another thread finds
     * none and draws again. A ticket whose entry still belongs to an earlier one is left to the waiters behind it.
     */
    private void abandonAny() {
        long end = words.next(ct);
        for (long t = Math.max(0, end - words.length()); t < end; t++) {
            long entry = words.load(t, ct);
            long of = t + TicketState.ahead(entry, t);
            if (of < end && TicketState.isUnclaimed(entry)) {
                ticket = of;
                isDrawn = true;
                if (abandon()) {
                    return;
                }
            }
        }
    }

    /** Claims the ticket so that it can be passed on, or abandons it; returns whether nothing is left to do. */
    private boolean isGivenUp(long entry) {
        boolean hasTurn = TicketState.hasTurn(entry);
        long desired = hasTurn
                ? TicketState.held(ticket, ct.id(), TicketState.isAfterDeath(entry))
                : TicketState.abandoned(ticket, TicketState.NO_THREAD);
        return words.exchange(ticket, entry, desired, ct) == entry && !hasTurn;
    }

    /** Passes on the turn of a ticket if this thread has it. */
    private void passOn(long held, long entry, long lost) {
        if (TicketState.ahead(entry, held) == 0 && TicketState.isHeldBy(entry, ct.id())) {
            boolean afterDeath = isAfterDeathKnown ? isAfterDeath : TicketState.isAfterDeath(entry);
            succession.finish(held, entry, afterDeath, lost, ct);
        }
    }
}
