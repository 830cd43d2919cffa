// SPDX-License-Identifier: Apache-2.0
package dev.remus.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks whose entries are in states that only lost threads leave behind. */
@Timeout(60)
class TicketWordsTest {
    private static final int THREADS = 4;

    private static final class Words extends RemoteRecord {
        private final RemoteLong next = longField();
        private final RemoteLongArray entries = longArrayField(THREADS);
        private final RemoteLong lost = longField();
    }

    /** Whether a thread holds a lock with these entries. */
    private static boolean isHolder(int thread, ComputeThread ct, long... entries) {
        Words words = new Words();
        words.allocate(ct);
        for (int i = 0; i < entries.length; i++) {
            words.entries.store(i, entries[i], ct);
        }
        return TicketState.isHeldBy(new TicketWords(words.next, words.entries, words.lost).turn(ct), thread);
    }

    @Test
    void aThreadThatWasLostAfterItHadPassedTheLockOnIsNotItsHolder() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            long left = TicketState.held(2, 3);
            long passed = TicketState.free(8);
            long waiting = TicketState.waiting(7, 1);
            assertThat(isHolder(3, ct, passed, TicketState.granted(5), left, waiting))
                    .isFalse();
            assertThat(isHolder(3, ct, passed, TicketState.held(5, 0), left, waiting))
                    .isFalse();
            assertThat(isHolder(0, ct, passed, TicketState.held(5, 0), left, waiting))
                    .isTrue();
        });
    }

    @Test
    void aThreadThatWasLostBeforeItHadPassedTheLockOnIsItsHolder() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            long held = TicketState.held(2, 3);
            long skipped = TicketState.free(7); // the holder has skipped ticket 3, which was abandoned
            assertThat(isHolder(3, ct, TicketState.waiting(4, 1), TicketState.free(5), held, skipped))
                    .isTrue();
            assertThat(isHolder(3, ct, TicketState.abandoned(4, 1), TicketState.free(5), held, skipped))
                    .isTrue();
        });
    }
}
