package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import java.util.Arrays;

/**
 * An inner node of an ordered map as a thread remembers it, with its entries sorted. The copy may be old. It is right
 * all the same: nodes stay where they are, keep their lowest key, and give keys only to nodes on their right. So an
 * old copy leads too far left, from where links lead on.
 */
final class TreeBranch {
    private final long[] keys;
    private final long[] children;
    private int size;
    private long pointer;
    private long high;
    private long link;

    /** The round of the cache in which it was set: it counts in no later one. */
    private int round;

    private boolean isForgotten;

    TreeBranch(int entries) {
        keys = new long[entries];
        children = new long[entries];
    }

    /** Takes over a copy of a node. */
    void set(TreeNode node, int newRound) {
        round = newRound;
        isForgotten = false;
        pointer = node.pointer();
        high = node.high();
        link = node.link();
        size = node.sort(keys, children);
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

    long high() {
        return high;
    }

    long link() {
        return link;
    }

    /** Whether a key that is not below the node belonged to it. */
    boolean owns(long key) {
        return link == RdmaPtr.NULL || key < high;
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == keys.length;
    }

    /** Whether a child begins at a key. */
    boolean has(long key) {
        return Arrays.binarySearch(keys, 0, size, key) >= 0;
    }

    /** Whether this child begins at a key. */
    boolean names(long key, long child) {
        int found = Arrays.binarySearch(keys, 0, size, key);
        return found >= 0 && children[found] == child;
    }

    /** Whether the first child begins at a key, where this node begins, too. */
    boolean beginsAt(long key) {
        return keys[0] == key;
    }

    /** The number of the child that may own a key: the last one that does not begin above it. */
    int indexOf(long key) {
        int found = Arrays.binarySearch(keys, 0, size, key);
        return found >= 0 ? found : -found - 2;
    }

    long key(int i) {
        return keys[i];
    }

    long child(int i) {
        return children[i];
    }
}
