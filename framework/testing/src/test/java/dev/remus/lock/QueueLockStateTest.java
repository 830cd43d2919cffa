// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class QueueLockStateTest {
    private static final int PLACES = 4;

    /** The words of a lock whose tickets before {@code next} have these words, the latest last. */
    private static long[] words(long next, long... latest) {
        long[] words = new long[2 + 2 * PLACES];
        words[0] = next;
        for (long ticket = next - PLACES; ticket < next; ticket++) {
            words[2 + (int) Math.floorMod(ticket, (long) PLACES)] = QueueTicket.released(ticket);
        }
        for (int i = 0; i < latest.length; i++) {
            long ticket = next - latest.length + i;
            words[2 + (int) Math.floorMod(ticket, (long) PLACES)] = latest[i];
        }
        return words;
    }

    @Test
    void aNewLockIsFree() {
        assertThat(QueueLockState.of(words(0))).contains(new LockState(OptionalInt.empty(), List.of(), 0));
    }

    @Test
    void theFirstTicketThatHasNotEndedHoldsTheLockAndTheOthersWait() {
        long[] words = words(
                103,
                QueueTicket.skipped(99),
                QueueTicket.claimed(100, 7),
                QueueTicket.abandoned(101, 8),
                QueueTicket.claimed(102, 9));
        assertThat(QueueLockState.of(words)).contains(new LockState(OptionalInt.of(7), List.of(9), 100));
    }

    @Test
    void aTicketThatIsNotClaimedYetHasTheTurnAndNoHolder() {
        long[] words = words(101, QueueTicket.releasedAfterDeath(96, 3));
        assertThat(QueueLockState.of(words)).contains(new LockState(OptionalInt.empty(), List.of(), 100));
    }

    @Test
    void wordsThatAreNotThoseOfALockOrWereReadWhileItChangedAreRefused() {
        assertThat(QueueLockState.of(words(-1))).isEmpty();
        assertThat(QueueLockState.of(words(103, QueueTicket.claimed(106, 7)))).isEmpty();
        assertThat(QueueLockState.of(words(103, QueueTicket.claimed(50, 7)))).isEmpty();
        assertThat(QueueLockState.of(words(103, 102L << 24 | 7))).isEmpty();
        assertThat(QueueLockState.of(new long[1])).isEmpty();
    }
}
