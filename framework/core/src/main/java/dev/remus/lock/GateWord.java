// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

/**
 * The word of a {@link RemoteReadWriteLock} that tells readers whether they may enter: OPEN, OPEN_AFTER_DEATH, or the
 * turn of the writer that has closed the lock for them, with the parts of a {@link TicketState}. No two turns have the
 * same word.
 */
final class GateWord {
    /** Readers may enter. */
    static final long OPEN = 0;
    /** Readers may enter, and what the lock protects may be half changed, since a writer has died. */
    static final long OPEN_AFTER_DEATH = 1;

    private static final int CLOSED = 2;
    private static final int CLOSED_AFTER_DEATH = 3;

    private GateWord() {}

    static long open(boolean isAfterDeath) {
        return isAfterDeath ? OPEN_AFTER_DEATH : OPEN;
    }

    /**
     * A writer waits for the readers that came before it, or is inside.
     *
     * @param ticket the writer's ticket
     * @param isAfterDeath whether an earlier writer has died, so that what readers find may be half changed
     */
    static long closed(long ticket, int thread, boolean isAfterDeath) {
        return TicketState.of(ticket, thread, isAfterDeath ? CLOSED_AFTER_DEATH : CLOSED);
    }

    static boolean isClosed(long word) {
        return word != OPEN && word != OPEN_AFTER_DEATH;
    }

    static boolean isAfterDeath(long word) {
        return word == OPEN_AFTER_DEATH || TicketState.state(word) == CLOSED_AFTER_DEATH;
    }

    /** The thread that has closed the lock. */
    static int thread(long word) {
        return TicketState.thread(word);
    }
}
