// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;

/**
 * An inner node of an ordered map as a thread has READ it, with its entries sorted. The copy may be old. It is right
 * all the same: nodes stay where they are, keep their lowest key, and give keys only to nodes on their right. So an
 * old copy leads too far left, from where links lead on.
 *
 * <pre>
 *   content, no longer than it must be
 *  +------+-------+-------+--   --+---------+---------+--   --+
 *  | high | key 0 | key 1 |  ...  | child 0 | child 1 |  ...  |
 *  +------+-------+-------+--   --+---------+---------+--   --+
 * </pre>
 *
 * <p>Threads share a copy once it is {@linkplain KnownBranches#learn published}. It changes no more then, but for one
 * flag, which is set without synchronization. A thread that does not see the flag yet uses a copy that is too old.
 */
final class TreeBranch {
    private final int words;
    private final long[] content;

    private int size;
    private long pointer;
    private long link;
    private long date;

    private boolean isForgotten;

    /** Makes one that has room for some entries, with keys of so many words. */
    TreeBranch(int words, int room) {
        this.words = words;
        content = new long[words + room * (words + 1)];
    }

    /**
     * Takes over a copy of a node. Called by the thread that has made this one, before it is published.
     *
     * @param sorted the entries of the node
     * @param newDate that of the copy
     */
    void set(TreeNode node, TreeEntries sorted, long newDate) {
        pointer = node.pointer();
        link = node.link();
        date = newDate;
        size = sorted.size();
        node.copyHigh(content);
        sorted.copyTo(content, words);
    }

    /** Declares that the copy is too old. */
    void forget() {
        isForgotten = true;
    }

    boolean isForgotten() {
        return isForgotten;
    }

    /** How many nodes of the map were retired when its maker last looked before the READ. */
    long date() {
        return date;
    }

    long pointer() {
        return pointer;
    }

    /** A copy of the upper bound. */
    TreeKey high() {
        return new TreeKey(words).set(content, 0);
    }

    long link() {
        return link;
    }

    /** The number of children. */
    int size() {
        return size;
    }

    /** Whether a key that is not below the node belonged to it. */
    boolean owns(TreeKey key) {
        long word = content[0]; // of the upper bound, which mostly decides
        return link == RdmaPtr.NULL
                || key.word() < word
                || key.word() == word && TreeEntries.compare(content, 0, key, words) > 0;
    }

    /** Whether a child begins at a key. */
    boolean has(TreeKey key) {
        return search(key) >= 0;
    }

    /** Whether this child begins at a key. */
    boolean names(TreeKey key, long child) {
        int found = search(key);
        return found >= 0 && child(found) == child;
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
        return content[words * (size + 1) + i];
    }

    private int compare(int i, TreeKey key) {
        return TreeEntries.compare(content, words * (i + 1), key, words);
    }

    private int search(TreeKey key) {
        return TreeEntries.search(content, words, size, key, words);
    }
}
