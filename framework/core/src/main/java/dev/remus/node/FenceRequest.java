// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LossKind;
import java.util.Optional;

/**
 * A Compute Node's request that a Memory Node cuts off another Compute Node, as one word. All nodes that ask for it
 * name the same life, and their WRITEs replace each other.
 *
 * @param life the life that is lost
 * @param kind how it was lost
 */
record FenceRequest(Life life, LossKind kind) {
    private static final int KIND_BITS = Long.SIZE - 1 - Life.BITS;

    static Optional<FenceRequest> of(long word) {
        return word == 0
                ? Optional.empty()
                : Optional.of(new FenceRequest(
                        Life.of(word >>> KIND_BITS), LossKind.values()[(int) word & (1 << KIND_BITS) - 1]));
    }

    long word() {
        return life.word() << KIND_BITS | kind.ordinal();
    }
}
