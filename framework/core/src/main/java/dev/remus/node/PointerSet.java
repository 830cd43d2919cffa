// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.memory.RdmaPtr;

/**
 * A set of raw pointers, for one thread. It is a hash table with two to four times as many words as it has held
 * pointers at once, whatever their values. It allocates only while it grows.
 *
 * <pre>
 *  slots   | p | 0 | 0 | p | p' | 0 | ...     p' hashes to p's slot, and took the next free slot
 * </pre>
 */
final class PointerSet {
    /** The initial size, which is also the smallest. */
    private static final int FIRST_SLOTS = 32;

    /** 2^64 divided by the golden ratio: spreads pointers that differ in a few bits over all slots. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private long[] slots = new long[FIRST_SLOTS];
    private int size;

    /**
     * Adds a pointer, not null.
     *
     * @return false if it was present already
     */
    boolean add(long pointer) {
        int slot = find(pointer);
        if (slots[slot] == pointer) {
            return false;
        }
        slots[slot] = pointer;
        if (2 * ++size > slots.length) {
            grow();
        }
        return true;
    }

    /** Removes a pointer if it is present. */
    void remove(long pointer) {
        int hole = find(pointer);
        if (slots[hole] == RdmaPtr.NULL) {
            return;
        }
        size--;
        int mask = slots.length - 1;
        // A pointer behind the hole moves into it, unless its home slot lies between the two.
        for (int slot = hole + 1 & mask; slots[slot] != RdmaPtr.NULL; slot = slot + 1 & mask) {
            int distance = slot - home(slots[slot]) & mask;
            if (distance >= (slot - hole & mask)) {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = RdmaPtr.NULL;
    }

    /** The number of pointers. */
    int size() {
        return size;
    }

    /** The number of slots. */
    int slots() {
        return slots.length;
    }

    /** The number of slots that a search for a pointer probes. */
    int probes(long pointer) {
        return (find(pointer) - home(pointer) & slots.length - 1) + 1;
    }

    /** The slot of a pointer, or else the free slot for it. */
    private int find(long pointer) {
        int mask = slots.length - 1;
        int slot = home(pointer);
        while (slots[slot] != pointer && slots[slot] != RdmaPtr.NULL) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    /** The slot to which a pointer hashes. */
    private int home(long pointer) {
        return (int) (pointer * SPREAD >>> Long.numberOfLeadingZeros(slots.length) + 1);
    }

    private void grow() {
        long[] old = slots;
        slots = new long[2 * old.length];
        for (long pointer : old) {
            if (pointer != RdmaPtr.NULL) {
                slots[find(pointer)] = pointer;
            }
        }
    }
}
