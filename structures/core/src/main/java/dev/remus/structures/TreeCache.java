// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import org.jspecify.annotations.Nullable;

/**
 * The inner nodes of an ordered map that a handle remembers, by their pointers. Their number is bounded: when the
 * cache is full, it begins a new round, in which none is remembered. Allocates only while it grows.
 */
final class TreeCache {
    private static final int FIRST = 16;

    /** At least so many places for each node. */
    private static final int SPARSE = 2;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final int HIGH_BITS = 32;

    private final int capacity;
    private final int words;
    private final int entries;

    /** Holds the last node that was learned, if there is no room for any. */
    private final TreeBranch only;

    private @Nullable TreeBranch[] places = new TreeBranch[FIRST];
    private int used;
    private int round = 1;

    /**
     * Makes one that is empty.
     *
     * @param capacity the most nodes, 0 for none
     * @param words the number of words of a key
     * @param entries the number of entries in a node
     */
    TreeCache(int capacity, int words, int entries) {
        this.capacity = capacity;
        this.words = words;
        this.entries = entries;
        this.only = new TreeBranch(words, entries);
    }

    /** Finds the copy of a node, or null. */
    @Nullable
    TreeBranch find(long node, ComputeThread ct) {
        if (capacity == 0) {
            return null;
        }
        TreeBranch found = places[place(node)];
        if (isUsed(found) && !found.isForgotten()) {
            ct.metrics().countCacheHit();
            return found;
        }
        ct.metrics().countCacheMiss();
        return null;
    }

    /** Remembers an inner node, as it was READ. The result is valid until the next one is learned. */
    TreeBranch learn(TreeNode node) {
        if (capacity == 0) {
            only.set(node, round);
            return only;
        }
        int place = place(node.pointer());
        if (!isUsed(places[place])) {
            makeRoom();
            place = place(node.pointer());
        }
        TreeBranch branch = places[place];
        if (branch == null) {
            branch = new TreeBranch(words, entries);
            places[place] = branch;
        }
        branch.set(node, round);
        return branch;
    }

    /** Forgets a node, if it is remembered. */
    void forget(long node) {
        TreeBranch found = places[place(node)];
        if (isUsed(found)) {
            found.forget();
        }
    }

    /** Forgets all nodes. */
    void forgetAll() {
        round++;
        used = 0;
    }

    /** For one more. */
    private void makeRoom() {
        if (used == capacity) {
            forgetAll();
        }
        used++;
        if (SPARSE * used > places.length) {
            @Nullable TreeBranch[] old = places;
            places = new TreeBranch[2 * old.length];
            for (TreeBranch branch : old) {
                if (isUsed(branch)) {
                    places[place(branch.pointer())] = branch;
                }
            }
        }
    }

    private boolean isUsed(@Nullable TreeBranch branch) {
        return branch != null && branch.isOfRound(round);
    }

    /** The place of a node's copy, or the one where it belongs. */
    private int place(long node) {
        int mask = places.length - 1;
        int place = (int) (node * MIX >>> HIGH_BITS) & mask;
        TreeBranch there = places[place];
        while (there != null && there.isOfRound(round) && there.pointer() != node) {
            place = place + 1 & mask;
            there = places[place];
        }
        return place;
    }
}
