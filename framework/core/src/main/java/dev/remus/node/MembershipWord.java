package dev.remus.node;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.PeerState;

/**
 * A Memory Node's word about a Compute Node, which only the Memory Node's own processor writes.
 *
 * <pre>
 *  63               5       4        3    2 1     0
 * +-------------------+-----------+-------+-------+
 * | 0                 | cut off   | loss  | state |
 * +-------------------+-----------+-------+-------+
 * </pre>
 *
 * <p>Cut off means that nothing which the Compute Node has posted arrives at this Memory Node any more ({@link
 * dev.remus.fabric.MemoryEndpoint#fence}).
 */
final class MembershipWord {
    private static final long CUT_OFF = 1 << 4;

    private MembershipWord() {}

    /** @param kind how the node was lost, if it was */
    static long of(PeerState state, LossKind kind, boolean isCutOff) {
        return state.ordinal() | (long) kind.ordinal() << 2 | (isCutOff ? CUT_OFF : 0);
    }

    static PeerState state(long word) {
        return PeerState.values()[(int) word & 3];
    }

    static LossKind kind(long word) {
        return LossKind.values()[(int) word >> 2 & 3];
    }

    static boolean isCutOff(long word) {
        return (word & CUT_OFF) != 0;
    }
}
