package dev.remus.node;

import dev.remus.fabric.LossKind;
import java.util.Optional;

/**
 * A Compute Node's request that a Memory Node cuts off another Compute Node, as one word. All nodes that ask for it
 * name the same incarnation, and their WRITEs replace each other.
 *
 * @param incarnation the incarnation that is lost ({@link dev.remus.fabric.Incarnation})
 * @param kind how it was lost
 */
record FenceRequest(long incarnation, LossKind kind) {
    private static final int KIND_BITS = 2;

    static Optional<FenceRequest> of(long word) {
        return word == 0
                ? Optional.empty()
                : Optional.of(
                        new FenceRequest(word >>> KIND_BITS, LossKind.values()[(int) word & (1 << KIND_BITS) - 1]));
    }

    long word() {
        return incarnation << KIND_BITS | kind.ordinal();
    }
}
