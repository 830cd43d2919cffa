// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.structures.spec.QueueOperation;
import dev.remus.structures.spec.QueueResult;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class DequeuedTest {
    @Test
    void aPresentItemCanBeRead() {
        assertThat(Dequeued.of(3L).item()).isEqualTo(3);
        assertThat(QueueResult.of(3L).item()).isEqualTo(3);
        assertThat(QueueOperation.enqueue(3L).item()).isEqualTo(3);
    }

    @Test
    void aMissingItemIsNotNull() {
        assertThatThrownBy(() -> Dequeued.empty().item())
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("EMPTY");
        assertThatThrownBy(() -> Dequeued.notReady().item()).hasMessageContaining("NOT_READY");
        assertThatThrownBy(() -> QueueResult.full().item()).hasMessageContaining("FULL");
        assertThatThrownBy(() -> QueueOperation.dequeue().item()).isInstanceOf(NoSuchElementException.class);
    }
}
