// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;

/**
 * An inner node of an ordered map as a thread remembers it, with its entries sorted. The copy may be old. It is right
 * all the same: nodes stay where they are, keep their lowest key, and give keys only to nodes on their right. So an
 * old copy leads too far left, from where links lead on.
 */
final class TreeBranch extends TreeEntries {
    private final int capacity;
    private final TreeKey high;

    /** The first word of the upper bound, which mostly decides: a search need not load the others. */
    private long highWord;

    private long pointer;
    private long link;

    /** The round of the cache in which it was set: it counts in no later one. */
    private int round;

    private boolean isForgotten;

    /** Makes one for nodes with keys of so many words, and so many entries. */
    TreeBranch(int words, int entries) {
        super(words, entries);
        capacity = entries;
        high = new TreeKey(words);
    }

    /** Takes over a copy of a node. */
    void set(TreeNode node, int newRound) {
        round = newRound;
        isForgotten = false;
        pointer = node.pointer();
        node.high(high);
        highWord = high.word();
        link = node.link();
        node.sort(this);
    }

    /** Declares that the copy is too old. It keeps its place in the cache. */
    void forget() {
        isForgotten = true;
    }

    boolean isForgotten() {
        return isForgotten;
    }

    boolean isOfRound(int other) {
        return round == other;
    }

    long pointer() {
        return pointer;
    }

    /** A copy of the upper bound. */
    TreeKey high() {
        return high.copy();
    }

    long link() {
        return link;
    }

    /** Whether a key that is not below the node belonged to it. */
    boolean owns(TreeKey key) {
        return link == RdmaPtr.NULL || key.word() < highWord || key.word() == highWord && key.compareTo(high) < 0;
    }

    boolean isFull() {
        return size() == capacity;
    }

    /** Whether a child begins at a key. */
    boolean has(TreeKey key) {
        return search(key) >= 0;
    }

    /** Whether this child begins at a key. */
    boolean names(TreeKey key, long child) {
        int found = search(key);
        return found >= 0 && value(found) == child;
    }

    /** Whether the first child begins at a key, where this node begins, too. */
    boolean beginsAt(TreeKey key) {
        return compare(0, key) == 0;
    }

    /** The number of the child that may own a key: the last one that does not begin above it. */
    int indexOf(TreeKey key) {
        int found = search(key);
        return found >= 0 ? found : -found - 2;
    }

    /** Whether a child begins above a key. */
    boolean beginsAbove(int i, TreeKey key) {
        return compare(i, key) > 0;
    }

    long child(int i) {
        return value(i);
    }
}
