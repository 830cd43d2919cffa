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
}
