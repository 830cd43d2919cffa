// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page10;

import java.util.OptionalInt;

// #region operation
/**
 * An operation on a deque.
 *
 * @param side the end at which it works
 * @param item the item to push; empty for a pop
 */
public record DequeOperation(Side side, OptionalInt item) {
    /** For example {@code push(RIGHT, 3)}. */
    @Override
    public String toString() {
        return item.isPresent() ? "push(" + side + ", " + item.getAsInt() + ")" : "pop(" + side + ")";
    }
}
// #endregion operation
