// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.State;
import dev.remus.lock.RemoteLock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocksTest {
    private static final long POINTER = 1L << 48 | 64;
    private static final int FREE = 0;
    private static final int GRANTED = 1;
    private static final int WAITING = 2;
    private static final int HELD = 3;

    /** Thread 1 of the second Compute Node awaits a lock. */
    private static final Look LOOK = look(Map.of("threads", "4", "first", "2", "awaits.1", Long.toString(POINTER)));

    private static final Look UNLOCKED = look(Map.of("threads", "4", "first", "2"));

    /** Two Compute Nodes with two threads each. */
    private static Look look(Map<String, String> noticeOfTheSecond) {
        return new Look(
                "demo",
                List.of(
                        new Node(0, true, State.RUNNING, "11", Map.of()),
                        new Node(1, false, State.RUNNING, "12", Map.of("threads", "4", "first", "0")),
                        new Node(2, false, State.RUNNING, "13", noticeOfTheSecond)),
                List.of(),
                Optional.empty());
    }

    /** A memory whose reads return these words in turn, and then always the last. */
    private static Locks.Reader memory(long[]... words) {
        ArrayDeque<long[]> answers = new ArrayDeque<>(List.of(words));
        return (pointer, count) -> {
            assertThat(pointer).isEqualTo(POINTER);
            assertThat(count).isEqualTo(RemoteLock.bytes(4) / Long.BYTES);
            return Optional.of(answers.size() > 1 ? answers.remove() : answers.element());
        };
    }

    @Test
    void aQueueLockIsReadByItsOwnWordsAndOtherKindsAreNotRead() throws IOException {
        // Two words, eight places, and eight pointers: thread 2 holds the lock with ticket 9, thread 3 awaits it.
        long[] words = new long[18];
        words[0] = 11;
        for (long ticket = 3; ticket < 11; ticket++) {
            words[2 + (int) (ticket % 8)] = entry(ticket, ticket < 9 ? 0 : (int) ticket - 7, ticket < 9 ? FREE : HELD);
        }
        Locks locks = new Locks();
        locks.begin(
                look(Map.of(
                        "threads", "4", "first", "2", "awaits.1", POINTER + ":queue", "holds.1", "8:permit 72:leader")),
                (pointer, count) -> {
                    assertThat(pointer).isEqualTo(POINTER);
                    assertThat(count).isEqualTo(words.length);
                    return Optional.of(words);
                },
                0);
        assertThat(locks.show().get(1)).matches("  .* +node 2, thread 0 +100 % +1\\.0 +-");
        assertThat(locks.areSampled()).isTrue();
        locks.begin(look(Map.of("threads", "4", "first", "2")), (pointer, count) -> Optional.empty(), 1);
        assertThat(locks.areSampled()).isFalse();
    }

    private static long entry(long ticket, int thread, int state) {
        return ticket << 24 | (long) thread << 3 | state;
    }

    /** Thread 2 holds the lock with a ticket; thread 3 awaits it with the next one. */
    private static long[] heldWith(long ticket) {
        long[] words = {ticket + 2, 0, 0, 0, 0, 0};
        for (long t = ticket; t < ticket + 4; t++) {
            words[1 + (int) (t % 4)] =
                    t == ticket ? entry(t, 2, HELD) : t == ticket + 1 ? entry(t, 3, WAITING) : entry(t, 0, FREE);
        }
        return words;
    }

    /** The lock is free, and this is the next ticket. */
    private static long[] free(long ticket) {
        long[] words = {ticket, 0, 0, 0, 0, 0};
        for (long t = ticket; t < ticket + 4; t++) {
            words[1 + (int) (t % 4)] = entry(t, 0, t == ticket ? GRANTED : FREE);
        }
        return words;
    }

    private static long[] changingHands() {
        long[] words = heldWith(100);
        words[1 + 100 % 4] = entry(104, 0, FREE); // the next entry was read before it was granted
        return words;
    }

    @Test
    void aLockWithAWaiterIsShownWithItsHolderAndItsAcquisitionsPerSecond() throws IOException {
        Locks locks = new Locks();
        locks.begin(LOOK, memory(heldWith(100)), 0);
        locks.begin(LOOK, memory(heldWith(2_300)), 2_000_000_000L);
        assertThat(locks.show())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .matches(" +node 0, segment 1, offset 0x40 +node 2, thread 0 +100 % +1.0 +1,100"))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }

    @Test
    void aLockThatIsHeldBrieflyIsShownWithItsLastHolderAndTheShareOfSamplesHeld() throws IOException {
        Locks locks = new Locks();
        locks.begin(LOOK, memory(free(100)), 0);
        locks.sample(memory(heldWith(101)));
        locks.sample(memory(free(104)));
        locks.sample(memory(free(105)));
        assertThat(locks.show()).anySatisfy(line -> assertThat(line).matches(".*node 2, thread 0 +25 % +0.3 .*"));
    }

    @Test
    void wordsReadWhileTheLockChangesHandsAreReadAgain() throws IOException {
        Locks locks = new Locks();
        locks.begin(LOOK, memory(changingHands(), changingHands(), heldWith(101)), 0);
        assertThat(locks.show()).anySatisfy(line -> assertThat(line).contains("node 2, thread 0"));
    }

    @Test
    void wordsThatNoLongerFormALockAreNotShown() throws IOException {
        Locks locks = new Locks();
        locks.begin(LOOK, memory(heldWith(100)), 0);
        locks.begin(LOOK, memory(new long[] {1, 2, 3, 4, 5, 6}), 1_000_000_000L);
        assertThat(locks.show()).isEmpty();
    }

    @Test
    void aLockThatIsNoLongerUsedIsNotShown() throws IOException {
        Locks locks = new Locks();
        locks.begin(LOOK, memory(free(100)), 0);
        assertThat(locks.show()).hasSize(2);
        locks.begin(UNLOCKED, memory(free(100)), 1_000_000_000L);
        locks.begin(UNLOCKED, memory(free(100)), 2_000_000_000L);
        assertThat(locks.show()).isEmpty();
    }
}
