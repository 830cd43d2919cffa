// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

/**
 * The state of one ticket of a {@link RemoteQueueLock}, as one word with the parts of a {@link TicketState}.
 *
 * <p>The states of a ticket, and the threads that change them, always by compare-and-swap. A ticket that nobody has
 * claimed has no word yet: its place still has the word of the ticket one round earlier, which has ended.
 *
 * <pre>
 *               owner               owner gives up
 *  (no word) ----------> CLAIMED &lt;--------------------> ABANDONED
 *      |                    |         owner resumes             |
 *      | a waiter: the      | owner releases the lock;          | the next in line passes it by
 *      | owner is gone      | a waiter: the owner is lost       v
 *      +-------------->  RELEASED, RELEASED_AFTER_DEATH      SKIPPED
 * </pre>
 *
 * <p>A claimed ticket says nothing about whether its owner holds the lock: the owner holds it once every earlier ticket
 * has ended, which the owner reads for itself. A lost owner that was only waiting is SKIPPED.
 */
final class QueueTicket {
    /** The ticket had its turn, and all earlier tickets have ended. */
    static final int RELEASED = 0;
    /** As RELEASED, and what the lock protects may be half changed, since the thread that is named has died. */
    static final int RELEASED_AFTER_DEATH = 1;
    /** The ticket has ended without a turn. */
    static final int SKIPPED = 2;
    /** The thread that is named waits with the ticket, or holds the lock. */
    static final int CLAIMED = 3;
    /** The thread that is named does not wait at present. */
    static final int ABANDONED = 4;

    private QueueTicket() {}

    static long released(long ticket) {
        return TicketState.of(ticket, 0, RELEASED);
    }

    static long releasedAfterDeath(long ticket, int lost) {
        return TicketState.of(ticket, lost, RELEASED_AFTER_DEATH);
    }

    static long skipped(long ticket) {
        return TicketState.of(ticket, 0, SKIPPED);
    }

    static long claimed(long ticket, int thread) {
        return TicketState.of(ticket, thread, CLAIMED);
    }

    static long abandoned(long ticket, int thread) {
        return TicketState.of(ticket, thread, ABANDONED);
    }

    static int state(long word) {
        return TicketState.state(word);
    }

    static int thread(long word) {
        return TicketState.thread(word);
    }

    /** How many tickets a word is ahead of a ticket; negative if the ticket has no word yet. */
    static long ahead(long word, long ticket) {
        return TicketState.ahead(word, ticket);
    }

    /** Whether the word's ticket had its turn. */
    static boolean isReleased(long word) {
        return state(word) == RELEASED || state(word) == RELEASED_AFTER_DEATH;
    }

    /** Whether the word is that of a ticket, which had its turn. */
    static boolean isEnd(long word, long ticket) {
        return isReleased(word) && ahead(word, ticket) == 0;
    }

    /** The word of another ticket that ends as this one has. */
    static long sameEnd(long word, long ticket) {
        return TicketState.of(ticket, thread(word), state(word));
    }
}
