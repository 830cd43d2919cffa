// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

/**
 * How long a waiter of a {@link RemoteQueueLock} pauses between two polls. Far back in the line it sleeps through half
 * of the turns before its own; near the front it polls several times in a turn. So the number of polls grows with the
 * logarithm of the length of the line, and the lock stands still for a short time between two holders.
 *
 * <p>It must sleep through less than all of them: the turns that it has measured contain the time for which other
 * waiters slept too long. With half, that time shrinks from one turn to the next.
 *
 * <p>If no turn ends for longer than the turns before have taken, the pauses grow with the wait.
 */
final class QueuePace {
    /** A waiter is known to wait, and notices a loss, several times a second. */
    private static final long LONGEST_NANOS = 33_000_000;

    /** A waiter that is woken reads the line at intervals from this one on. */
    private static final long SHORTEST_LOOK_NANOS = 100_000;

    /** 0 before the first turn that this thread has waited for. */
    private long nanosPerTurn;

    private long ticket;
    private long began;
    private long servedAtFirst;
    private long served;
    private long progressed;
    private long nextLook;

    /** A wait with a ticket begins. */
    void begin(long ownTicket, long lastServed, long now) {
        ticket = ownTicket;
        began = now;
        servedAtFirst = lastServed;
        served = lastServed;
        progressed = now;
        looked(now);
    }

    /** A poll has found that this ticket was served; it is not later than the real last one, and may be older. */
    void polled(long lastServed, long now) {
        if (lastServed > served) {
            progressed(lastServed, now);
            learn((now - began) / (served - servedAtFirst));
        }
    }

    /** Another thread of this node had seen at some time that this ticket was served. */
    void progressed(long lastServed, long at) {
        if (lastServed > served) {
            served = lastServed;
            progressed = at;
        }
    }

    /**
     * Other threads of this node have just measured how long a turn takes; 0 if they have not. What this thread has
     * learned is the mean of a whole wait, and too long while many threads that arrived at once get faster. A longer
     * time counts for nothing: the lock may have been idle.
     */
    void measured(long nanos) {
        if (nanos > 0 && nanos < nanosPerTurn) {
            nanosPerTurn = nanos;
        }
    }

    /** The wait is over. */
    void end(long now) {
        if (ticket - 1 > servedAtFirst) {
            learn((now - began) / (ticket - 1 - servedAtFirst));
        }
    }

    /** Turns that are shorter count at once, longer ones by and by: one holder may have stood still, or have died. */
    private void learn(long nanos) {
        nanosPerTurn = nanosPerTurn == 0 ? nanos : Math.min(nanos, nanosPerTurn + nanosPerTurn / 4 + 1);
    }

    /** How long to pause now. */
    long nanos(long now) {
        long others = Math.max(0, ticket - served - 2); // the holder's turn may be nearly over
        long far = others * nanosPerTurn / 2;
        long near = Math.max(nanosPerTurn / 4, (now - progressed) / 4);
        return Math.min(LONGEST_NANOS, Math.max(far, near));
    }

    /**
     * How long a waiter pauses that is woken ({@link WaiterWord}), before it reads its word again. Nothing shows it how
     * far the line has come, so it sleeps through half of the time that it expects to wait, and then reads its word
     * four times in a turn.
     *
     * <p>With longer pauses far back in the line, each waiter would be late by some part of its whole wait. The next
     * one would wait for that too, so the turns would get longer and longer.
     */
    long nanosUntilWoken(long now) {
        long turns = turnsBefore();
        long waited = now - progressed;
        long far = turns * nanosPerTurn / 2 - waited;
        long near = Math.max(nanosPerTurn, waited / turns) / 4;
        return Math.min(LONGEST_NANOS, Math.max(far, near));
    }

    /** Whether such a waiter reads the line too, since its turn is overdue or a thread may be lost. */
    boolean isLookDue(long now) {
        return now >= nextLook;
    }

    /** A waiter that is woken has read the line. */
    void looked(long now) {
        long left = progressed + turnsBefore() * nanosPerTurn - now;
        long nanos = Math.max(now - began, 2 * left) + SHORTEST_LOOK_NANOS;
        nextLook = now + Math.min(LONGEST_NANOS, nanos);
    }

    private long turnsBefore() {
        return Math.max(1, ticket - 1 - served);
    }
}
