// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;

/** Where the words of a {@link TreeNode} are, and access to those of its keys and slots. */
abstract class TreeWords {
    static final int LOCK = 0;
    static final int STATE = 8;
    static final int LOW = 16;

    final int words;
    final int slots;

    // Offsets in a node.
    final int high;
    final int link;
    final int firstSlot;

    // Offsets in a slot, and its size.
    final int value;
    final int seal;
    final int slotBytes;

    /** The copy. */
    LocalBuffer memory;

    /** Makes a copy of a node that has keys of so many words, and so many slots. */
    TreeWords(int words, int slots, ComputeThread ct) {
        this.words = words;
        this.slots = slots;
        high = LOW + words * Long.BYTES;
        link = high + words * Long.BYTES;
        firstSlot = link + Long.BYTES;
        value = words * Long.BYTES;
        seal = value + Long.BYTES;
        slotBytes = seal + Long.BYTES;
        memory = ct.allocateLocal(localBytes());
    }

    /** How many entries a node of some bytes has room for, with keys of so many words. */
    static int entries(int bytes, int words) {
        int ofKey = words * Long.BYTES;
        return (bytes - LOW - 2 * ofKey - Long.BYTES) / (ofKey + 2 * Long.BYTES);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    final void renewLocal(ComputeThread ct) {
        memory = ct.allocateLocal(localBytes());
    }

    final int bytes() {
        return firstSlot + slotBytes * slots;
    }

    /** Behind the node, the copy has the words that {@link TreeNode#readAsPinnedIn} READs before it. */
    private int localBytes() {
        return bytes() + 2 * Long.BYTES;
    }

    final int slots() {
        return slots;
    }

    /** The number of words of a key. */
    final int words() {
        return words;
    }

    /** A copy of the lowest key. */
    final TreeKey low() {
        return low(new TreeKey(words));
    }

    final TreeKey low(TreeKey to) {
        return to.set(memory, LOW);
    }

    /** Whether it begins at a key. */
    final boolean beginsAt(TreeKey key) {
        return compare(LOW, key) == 0;
    }

    /** Whether it begins above a key. */
    final boolean beginsAbove(TreeKey key) {
        return compare(LOW, key) > 0;
    }

    /** A copy of the upper bound. */
    final TreeKey high() {
        return high(new TreeKey(words));
    }

    final TreeKey high(TreeKey to) {
        return to.set(memory, high);
    }

    /** Copies the words of the upper bound to the beginning of an array. */
    final void copyHigh(long[] to) {
        for (int i = 0; i < words; i++) {
            to[i] = memory.getLong(high + (long) i * Long.BYTES);
        }
    }

    /** Negative, 0 or positive, as the key at an offset is below, at or above another. */
    final int compare(long at, TreeKey key) {
        int order = Long.compare(memory.getLong(at), key.word());
        for (int i = 1; order == 0 && i < words; i++) {
            order = Long.compare(memory.getLong(at + (long) i * Long.BYTES), key.word(i));
        }
        return order;
    }

    final TreeKey key(int slot, TreeKey to) {
        return to.set(memory, at(slot));
    }

    /** Negative, 0 or positive, as the key in a slot is below, at or above another. */
    final int compareKey(int slot, TreeKey key) {
        return compare(at(slot), key);
    }

    final long value(int slot) {
        return memory.getLong(at(slot) + value);
    }

    final long seal(int slot) {
        return memory.getLong(at(slot) + seal);
    }

    /** The offset of a slot. */
    final long at(int slot) {
        return firstSlot + (long) slotBytes * slot;
    }

    final void putKey(long at, TreeKey key) {
        for (int i = 0; i < words; i++) {
            memory.putLong(at + (long) i * Long.BYTES, key.word(i));
        }
    }
}
