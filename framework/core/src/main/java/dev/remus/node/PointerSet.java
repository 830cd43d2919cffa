package dev.remus.node;

import dev.remus.memory.RdmaPtr;

/**
 * A set of raw pointers: a hash table of twice to four times as many words as it has held pointers at once, wherever
 * those point to. It allocates only while it grows. Belongs to one thread.
 *
 * <pre>
 *  slots   | p | 0 | 0 | p | p' | 0 | ...     p' belongs where p is, and went to the next slot that was free
 * </pre>
 */
final class PointerSet {
    /** Also the smallest size. */
    private static final int FIRST_SLOTS = 32;

    /** 2^64 divided by the golden ratio: spreads pointers that differ in a few bits over all slots. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private long[] slots = new long[FIRST_SLOTS];
    private int size;

    /**
     * Adds a pointer, not null.
     *
     * @return false if it was there already
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

    /** Removes a pointer that may be there. */
    void remove(long pointer) {
        int hole = find(pointer);
        if (slots[hole] == RdmaPtr.NULL) {
            return;
        }
        size--;
        int mask = slots.length - 1;
        // A pointer behind the hole moves into it unless the slot that it belongs to lies between the two.
        for (int slot = hole + 1 & mask; slots[slot] != RdmaPtr.NULL; slot = slot + 1 & mask) {
            int distance = slot - home(slots[slot]) & mask;
            if (distance >= (slot - hole & mask)) {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = RdmaPtr.NULL;
    }

    /** How many pointers there are. */
    int size() {
        return size;
    }

    /** How many words it takes up. */
    int slots() {
        return slots.length;
    }

    /** How many slots a search for a pointer looks at. */
    int probes(long pointer) {
        return (find(pointer) - home(pointer) & slots.length - 1) + 1;
    }

    /** Where a pointer is, or else the free slot where it would go. */
    private int find(long pointer) {
        int mask = slots.length - 1;
        int slot = home(pointer);
        while (slots[slot] != pointer && slots[slot] != RdmaPtr.NULL) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    /** The slot that a pointer belongs to. */
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
