// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

import dev.remus.check.DeterministicSpecification;
import java.util.ArrayList;
import java.util.List;

// #region specification
/**
 * A deque used by one thread: state and operation determine the next state and the result.
 *
 * @param capacity the most items it holds
 */
public record DequeSpecification(int capacity)
        implements DeterministicSpecification<List<Integer>, DequeOperation, String> {
    @Override
    public List<Integer> initial() {
        return List.of();
    }

    @Override
    public Step<List<Integer>, String> step(List<Integer> items, DequeOperation operation) {
        List<Integer> after = new ArrayList<>(items);
        int end = operation.side() == Side.LEFT ? 0 : items.size();
        if (operation.item().isPresent()) {
            if (items.size() == capacity) {
                return new Step<>(items, "full");
            }
            after.add(end, operation.item().getAsInt());
            return new Step<>(List.copyOf(after), "pushed");
        }
        if (items.isEmpty()) {
            return new Step<>(items, "empty");
        }
        int popped = after.remove(Math.min(end, items.size() - 1));
        return new Step<>(List.copyOf(after), "" + popped);
    }
}
// #endregion specification
