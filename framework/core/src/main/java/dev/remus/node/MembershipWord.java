// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.LossKind;
import dev.remus.fabric.PeerState;

/**
 * A Memory Node's word about a Compute Node, which only the Memory Node's own processor writes.
 *
 * <pre>
 *  63       12 11     8 7    5       4        3    2 1     0
 * +-----------+--------+------+-----------+-------+-------+
 * | 0         | life   | 0    | cut off   | loss  | state |
 * +-----------+--------+------+-----------+-------+-------+
 * </pre>
 *
 * <p>The state is that of the {@link Life} with this number. All earlier ones are cut off by all Memory Nodes. Cut off
 * means that nothing which the Compute Node has posted arrives at this Memory Node any more ({@link
 * dev.remus.fabric.MemoryEndpoint#fence}).
 */
final class MembershipWord {
    private static final long CUT_OFF = 1 << 4;
    private static final int LIFE_SHIFT = 8;

    private MembershipWord() {}

    /** @param kind how the node was lost, if it was */
    static long of(PeerState state, LossKind kind, boolean isCutOff, int life) {
        return state.ordinal() | (long) kind.ordinal() << 2 | (isCutOff ? CUT_OFF : 0) | (long) life << LIFE_SHIFT;
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

    /** The number of the life. */
    static int life(long word) {
        return (int) (word >>> LIFE_SHIFT);
    }

    /** Whether this Memory Node has cut off a life, given its number. */
    static boolean isCutOff(long word, int life) {
        return life(word) > life || life(word) == life && isCutOff(word);
    }
}
