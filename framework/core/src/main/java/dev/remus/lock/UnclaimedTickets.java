// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

/**
 * How long a waiter with a ticket waits for earlier ones that no thread has claimed. A thread claims its ticket right
 * after it has drawn it. If it does not, its wait has ended with an exception or it is lost, and another thread ends
 * the ticket on its behalf. A thread that was merely slow then draws another ticket.
 */
final class UnclaimedTickets {
    private static final long OVERDUE_NANOS = 100_000_000;

    private boolean hasMet;
    private long since;

    /** A wait with another ticket begins. */
    void begin() {
        hasMet = false;
    }

    /**
     * Called when the waiter has met an unclaimed ticket. Returns whether it met one long ago: that one is overdue, or
     * this one was drawn before it.
     */
    boolean isOverdue(long now) {
        if (!hasMet) {
            hasMet = true;
            since = now;
        }
        return now - since >= OVERDUE_NANOS;
    }
}
