// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldLocksTest {
    private static final int MANY = 100;

    @Test
    void aThreadMayHoldAnyNumberOfLocksAndReleaseThemInAnyOrder() {
        HeldLocks locks = new HeldLocks();
        for (long lock = 1; lock <= MANY; lock++) {
            locks.add(lock);
        }
        assertThat(locks.held()).hasSize(MANY);
        for (long lock = 1; lock <= MANY; lock += 2) {
            locks.remove(lock);
            assertThat(locks.contains(lock)).isFalse();
            assertThat(locks.contains(lock + 1)).isTrue();
        }
        assertThat(locks.held()).hasSize(MANY / 2);
    }

    @Test
    void aNoticeHasThePointersWithTheKindsOfOtherLocksThanTicketLocks() {
        HeldLocks locks = new HeldLocks();
        assertThat(locks.describeHeld()).isEmpty();
        assertThat(locks.describeAwaited()).isEmpty();
        locks.add(1);
        locks.add(2, LockKind.QUEUE);
        locks.add(3, LockKind.PERMIT);
        locks.remove(1);
        locks.startWaiting(4, LockKind.READERS);
        assertThat(locks.describeHeld()).isEqualTo("2:queue 3:permit");
        assertThat(locks.describeAwaited()).isEqualTo("4:readers");
        locks.add(5);
        locks.startWaiting(6);
        assertThat(locks.describeHeld()).isEqualTo("5 2:queue 3:permit");
        assertThat(locks.describeAwaited()).isEqualTo("6");
        locks.stopWaiting();
        assertThat(locks.describeAwaited()).isEmpty();
    }
}
