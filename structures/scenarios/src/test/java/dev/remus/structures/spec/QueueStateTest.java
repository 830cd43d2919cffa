// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QueueStateTest {
    @Test
    void itHoldsWhatAnOrdinaryQueueHolds() {
        Random random = new Random(5);
        ArrayDeque<Integer> expected = new ArrayDeque<>();
        QueueState<Integer> state = QueueState.empty();
        for (int i = 0; i < 2000; i++) {
            if (random.nextInt(5) < 3) {
                expected.add(i);
                state = state.with(i);
            } else if (!expected.isEmpty()) {
                assertThat(state.first()).isEqualTo(expected.remove());
                state = state.withoutFirst();
            }
            assertThat(state.size()).isEqualTo(expected.size());
        }
        assertThat(state).containsExactlyElementsOf(expected);
        assertThat(state).hasToString(new ArrayList<>(expected).toString());
    }

    @Test
    void statesWithTheSameItemsAreEqualWhateverTheirHistory() {
        QueueState<Integer> direct = QueueState.<Integer>empty().with(4).with(5);
        QueueState<Integer> detour = QueueState.<Integer>empty();
        for (int item : List.of(1, 2, 3, 4)) {
            detour = detour.with(item);
        }
        detour = detour.withoutFirst().withoutFirst().withoutFirst().with(5);
        assertThat(detour).isEqualTo(direct).hasSameHashCodeAs(direct);
        assertThat(detour.withoutFirst().withoutFirst())
                .isEqualTo(QueueState.empty())
                .hasSameHashCodeAs(QueueState.empty());
        assertThat(direct).isNotEqualTo(QueueState.<Integer>empty().with(5).with(4));
        assertThat(direct).isNotEqualTo(direct.with(4));
    }

    @Test
    void anEmptyQueueHasNoFirstItem() {
        assertThatThrownBy(() -> QueueState.empty().first()).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(() -> QueueState.empty().withoutFirst()).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(() -> new QueueSpecification<Integer>(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("room for 0 items");
    }
}
