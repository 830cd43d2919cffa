// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import dev.remus.node.ComputeThread;

/**
 * The turn of a {@link RemoteLock}, which goes from one ticket to the next. Only one thread at a time passes it on: the
 * holder, or a thread that has taken the turn of a lost holder or of an unclaimed ticket, by a swap of its entry.
 *
 * <p><b>Why a lost holder's turn is taken once, and no other thread's.</b> Nothing of the lost thread arrives after it
 * is cut off. So if it has the turn then, it keeps it until another thread takes it. That thread first READs all
 * entries, to see that the lost one has not passed the turn on ({@link TicketWords#turn}). Then it swaps its own id for
 * the lost one's in the entry. Of several threads one succeeds, and if that one is lost, it is a lost holder itself. So
 * the exchange depends on one word, and not on the order in which several become visible.
 *
 * <p><b>Why the next holder learns of the death.</b> Each thread that takes or passes on the turn after a death says so
 * in the entry that it swaps, and the next one knows nothing but that entry. If a thread is lost before it swaps, its
 * own entry makes it a lost holder.
 */
final class Succession {
    /** In place of a ticket whose turn this thread has taken. */
    static final long NONE = -1;

    private final TicketWords words;

    /** The ticket whose turn this thread takes from another one, until it has passed it on. */
    private long taken = NONE;

    /** The lost thread from which it takes that, negative if the ticket is unclaimed. */
    private long takenFrom = NONE;

    Succession(TicketWords words) {
        this.words = words;
    }

    /**
     * Passes the turn to the next ticket that is not abandoned, and only then frees the entry of this one. So at any
     * moment there is a holder, which can be named if it is lost.
     *
     * @param held the ticket that has the turn
     * @param entry its entry, which names this thread
     * @param afterDeath whether the next holder learns that a holder has died
     */
    void passOn(long held, long entry, boolean afterDeath, ComputeThread ct) {
        long t = held + 1;
        while (!grant(t, TicketState.free(t), afterDeath, ct)) {
            t++;
        }
        free(held, entry, ct);
    }

    /**
     * Takes the turn from a lost holder that is cut off, unless another thread does, and passes it on. The lost one may
     * have skipped some tickets before, so this READs each entry first. An entry that is ahead of its ticket was
     * skipped: had the ticket been granted, it would have the turn.
     *
     * @param held the ticket that has the turn
     * @param entry its entry, which names the lost thread
     */
    void recover(long held, long entry, ComputeThread ct) {
        long own = TicketState.held(held, ct.id(), true);
        taken = held;
        takenFrom = TicketState.thread(entry);
        if (words.exchange(held, entry, own, ct) == entry) {
            words.noteLost(TicketState.thread(entry), ct);
            passOnUnlessSkipped(held, own, true, ct);
        }
        taken = NONE;
    }

    private void passOnUnlessSkipped(long held, long entry, boolean afterDeath, ComputeThread ct) {
        long t = held + 1;
        while (!grantUnlessSkipped(t, afterDeath, ct)) {
            t++;
        }
        free(held, entry, ct);
    }

    /** The ticket whose turn this thread was about to take when an operation failed, or {@link #NONE}. */
    long taken() {
        return taken;
    }

    /** The lost thread from which it was about to take it; negative if the ticket was unclaimed. */
    long takenFrom() {
        return takenFrom;
    }

    /** Leaves the rest of that to a cleanup. */
    void forgetTaken() {
        taken = NONE;
    }

    /**
     * Passes on the turn of a ticket that this thread holds if it has not done so; an earlier attempt may have ended at
     * any step. As in {@link #recover}, a ticket whose entry is ahead was skipped, since none later has had its turn.
     *
     * @param entry the ticket's entry
     * @param lost the lost thread from which the turn was taken, negative if from none
     */
    void finish(long held, long entry, boolean afterDeath, long lost, ComputeThread ct) {
        if (words.isPassedOn(held, ct)) {
            free(held, entry, ct);
            return;
        }
        if (lost >= 0) {
            words.noteLost((int) lost, ct);
        }
        passOnUnlessSkipped(held, entry, afterDeath, ct);
    }

    /**
     * Abandons a ticket on behalf of an owner that has not claimed it, or passes its turn on. Changes nothing if the
     * entry has changed.
     */
    void passOnUnclaimed(long ticket, long entry, ComputeThread ct) {
        if (entry == TicketState.free(ticket)) {
            words.exchange(ticket, entry, TicketState.abandoned(ticket, TicketState.NO_THREAD), ct);
            return;
        }
        boolean afterDeath = TicketState.isAfterDeath(entry);
        long own = TicketState.held(ticket, ct.id(), afterDeath);
        taken = ticket;
        takenFrom = NONE;
        if (words.exchange(ticket, entry, own, ct) == entry) {
            passOn(ticket, own, afterDeath, ct);
        }
        taken = NONE;
    }

    private boolean grantUnlessSkipped(long t, boolean afterDeath, ComputeThread ct) {
        long seen = words.load(t, ct);
        return !TicketState.isPassed(seen, t) && grant(t, seen, afterDeath, ct);
    }

    private void free(long held, long entry, ComputeThread ct) {
        words.exchange(held, entry, TicketState.free(held + words.length()), ct);
    }

    /**
     * Gives a ticket its turn. Returns false if it was abandoned; its entry is then free for the next round.
     *
     * <p>Only this thread can give the turn or skip the ticket, and it knows the outcome of each swap before the next.
     * So if the ticket has its turn, has had it, or is skipped, then by the last swap.
     *
     * @param expected what its entry probably is
     */
    private boolean grant(long t, long expected, boolean afterDeath, ComputeThread ct) {
        long seen = expected;
        while (true) {
            long desired = afterPassing(seen, t, afterDeath, ct);
            long found = words.exchange(t, seen, desired, ct);
            if (found == seen || TicketState.isPassed(found, t)) {
                return TicketState.ahead(desired, t) == 0;
            }
            seen = found;
        }
    }

    /**
     * The entry after the turn has been passed. An entry of the ticket one round earlier has not been freed by its
     * holder yet, or was left by one that died.
     */
    private long afterPassing(long seen, long t, boolean afterDeath, ComputeThread ct) {
        int state = TicketState.ahead(seen, t) == 0 ? TicketState.state(seen) : TicketState.FREE;
        boolean waits = state == TicketState.WAITING && !ct.peers().isLost(TicketState.thread(seen));
        if (state == TicketState.FREE) {
            return TicketState.granted(t, afterDeath);
        }
        return waits ? TicketState.held(t, TicketState.thread(seen), afterDeath) : TicketState.free(t + words.length());
    }
}
