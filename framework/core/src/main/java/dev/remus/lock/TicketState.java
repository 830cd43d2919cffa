// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The state of one ticket of a {@link RemoteLock}, as one word.
 *
 * <pre>
 *  63                        24 23                  3 2        0
 * +----------------------------+---------------------+----------+
 * | ticket, modulo 2^40        | thread id           | state    |
 * +----------------------------+---------------------+----------+
 * </pre>
 *
 * <p>The states of a ticket, and the threads that change them, always by compare-and-swap. Owner of a ticket is the
 * thread that claims it, mostly the one that has drawn it:
 *
 * <pre>
 *            owner                  owner gives up
 *  FREE -------------> WAITING &lt;--------------------> ABANDONED
 *    |                    |      owner resumes            |
 *    | releaser           | releaser                      | releaser skips it
 *    v                    v                               v
 *  GRANTED ----------> HELD -----------------------> FREE, for the ticket one round later
 *            owner              owner releases
 * </pre>
 *
 * <p>GRANTED and HELD exist a second time, AFTER_DEATH: an earlier holder died, and no holder since has declared the
 * data consistent. If the owner of a ticket that is HELD is lost, another thread swaps its own id for the owner's, and
 * releases the ticket on its behalf.
 */
final class TicketState {
    /** The ticket is unclaimed, and it is not its turn. */
    static final int FREE = 0;
    /** It is the ticket's turn, and it is unclaimed. */
    static final int GRANTED = 1;
    /** A thread waits with the ticket. */
    static final int WAITING = 2;
    /** A thread holds the lock with the ticket. */
    static final int HELD = 3;
    /** The ticket's owner does not wait any more. */
    static final int ABANDONED = 4;
    /** As GRANTED, and a holder died before. */
    static final int GRANTED_AFTER_DEATH = 5;
    /** As HELD, and a holder died before. */
    static final int HELD_AFTER_DEATH = 7;

    /** The thread id of an abandoned ticket that was never claimed. */
    static final int NO_THREAD = (1 << 21) - 1;

    private static final int STATES = 7;
    private static final int UNUSED = 6;
    private static final int THREAD_SHIFT = 3;
    private static final int TICKET_SHIFT = 24;

    /** The distance of an entry's ticket from the next ticket is at most this, in tickets for each thread. */
    private static final long MAX_ROUNDS = 4;

    private TicketState() {}

    static long free(long ticket) {
        return of(ticket, 0, FREE);
    }

    static long granted(long ticket) {
        return granted(ticket, false);
    }

    static long granted(long ticket, boolean afterDeath) {
        return of(ticket, 0, afterDeath ? GRANTED_AFTER_DEATH : GRANTED);
    }

    static long waiting(long ticket, int thread) {
        return of(ticket, thread, WAITING);
    }

    static long held(long ticket, int thread) {
        return held(ticket, thread, false);
    }

    static long held(long ticket, int thread, boolean afterDeath) {
        return of(ticket, thread, afterDeath ? HELD_AFTER_DEATH : HELD);
    }

    static long abandoned(long ticket, int thread) {
        return of(ticket, thread, ABANDONED);
    }

    static long of(long ticket, int thread, int state) {
        return ticket << TICKET_SHIFT | (long) thread << THREAD_SHIFT | state;
    }

    static int state(long entry) {
        return (int) entry & STATES;
    }

    static int thread(long entry) {
        return (int) (entry >>> THREAD_SHIFT) & NO_THREAD;
    }

    /** The entry's ticket, modulo 2^40. */
    static long ticket(long entry) {
        return entry >>> TICKET_SHIFT;
    }

    /** Whether it is the turn of the entry's ticket, or was and the holder has not freed the entry yet. */
    static boolean hasTurn(long entry) {
        return isGranted(entry) || isHeld(entry);
    }

    private static boolean isGranted(long entry) {
        return state(entry) == GRANTED || state(entry) == GRANTED_AFTER_DEATH;
    }

    /** Whether a thread holds the lock with the entry's ticket, or did and has not freed the entry yet. */
    static boolean isHeld(long entry) {
        return state(entry) == HELD || state(entry) == HELD_AFTER_DEATH;
    }

    /** Whether that is so, and the thread is this one. */
    static boolean isHeldBy(long entry, int thread) {
        return isHeld(entry) && thread(entry) == thread;
    }

    /** Whether the entry's ticket has the turn after a holder died. */
    static boolean isAfterDeath(long entry) {
        return state(entry) == GRANTED_AFTER_DEATH || state(entry) == HELD_AFTER_DEATH;
    }

    /** Whether the entry's own ticket can be claimed, if it is drawn. */
    static boolean isUnclaimed(long entry) {
        return state(entry) == FREE || isGranted(entry);
    }

    /** Whether a ticket has or had its turn, or was skipped, where this is its entry. */
    static boolean isPassed(long entry, long ticket) {
        long ahead = ahead(entry, ticket);
        return ahead > 0 || ahead == 0 && hasTurn(entry);
    }

    /** See {@link RemoteLock#state(long[])}. */
    static Optional<LockState> state(long[] words) {
        int threads = words.length - RemoteLock.OTHER_WORDS;
        long next = words[0];
        long turn = -1;
        OptionalInt holder = OptionalInt.empty();
        List<Integer> waiters = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long entry = words[1 + i];
            long ticket = next + ahead(entry, next);
            int state = state(entry);
            boolean named = state == WAITING || isHeld(entry);
            if (ticket < 0
                    || ticket % threads != i
                    || Math.abs(ticket - next) > MAX_ROUNDS * threads
                    || state == UNUSED
                    || named && thread(entry) >= threads) {
                return Optional.empty();
            }
            if (state == WAITING) {
                waiters.add(thread(entry));
            } else if (hasTurn(entry) && ticket > turn) {
                turn = ticket; // while a holder passes it on, the next holder has it already
                holder = isHeld(entry) ? OptionalInt.of(thread(entry)) : OptionalInt.empty();
            }
        }
        return turn < 0 ? Optional.empty() : Optional.of(new LockState(holder, waiters, turn));
    }

    /** How many tickets an entry is ahead of a ticket; negative if the entry still belongs to an earlier one. */
    static long ahead(long entry, long ticket) {
        return (entry >> TICKET_SHIFT) - (ticket << TICKET_SHIFT >> TICKET_SHIFT) << TICKET_SHIFT >> TICKET_SHIFT;
    }
}
