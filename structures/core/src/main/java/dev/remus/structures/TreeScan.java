// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * How entries of an ordered map are found by order and not by key. A scan READs some leaves together, as many as the
 * remembered parent names and the limit is likely to need. Where one of them ends before the next one begins, it was
 * split since: the scan goes on from there, and so misses nothing. Downwards, that is where it ends before the key with
 * which the scan goes on.
 */
class TreeScan {
    /** The most leaves that are READ together. */
    private static final int BATCH = 8;

    private static final int UP = 1;
    private static final int DOWN = -1;

    private final TreeCore core;
    private final int entries;
    private final TreeEntries sorted;

    /** The key with which the scan goes on. */
    private final TreeKey next;

    /** The key that is passed on. */
    private final TreeKey found;

    private final MapChains chains;
    private @Nullable TreeNode[] leaves = new TreeNode[BATCH];

    TreeScan(TreeCore core, int entries, ComputeThread ct) {
        this.core = core;
        this.entries = entries;
        this.sorted = new TreeEntries(core.This.words(), entries);
        this.next = new TreeKey(core.This.words());
        this.found = new TreeKey(core.This.words());
        this.chains = new MapChains(ct);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        leaves = new TreeNode[BATCH];
    }

    // ------------------------------------------------------------------------------------------------ upwards

    /** Passes the entries of an interval on, by ascending keys, up to a limit; returns their number. */
    final long scan(TreeKey from, TreeKey to, long limit, TreeConsumer consumer, ComputeThread ct) {
        next.set(from);
        long left = limit;
        while (left > 0 && next.compareTo(to) <= 0) {
            int count = readLeaves(next, to, left, UP, ct);
            TreeNode leaf = leaf(0, ct);
            if (!isUsable(leaf) || !leaf.owns(next)) {
                leaf = search(next, ct);
                count = 1;
            }
            for (int i = 1; ; i++) {
                left -= pass(leaf, next, to, left, consumer);
                if (leaf.endsAbove(to)) {
                    return limit - left;
                }
                leaf.high(next);
                if (i >= count || !isUsable(leaf(i, ct)) || !follows(leaf(i, ct), next)) {
                    break;
                }
                leaf = leaf(i, ct);
            }
        }
        return limit - left;
    }

    /** Whether a leaf that was READ together with others is the one with which a scan goes on. */
    boolean follows(TreeNode leaf, TreeKey key) {
        return leaf.owns(key);
    }

    /** Passes the entries of a leaf on; returns their number. */
    int pass(TreeNode leaf, TreeKey from, TreeKey to, long most, TreeConsumer consumer) {
        leaf.sort(sorted);
        int first = sorted.below(from);
        int count = (int) Math.min(most, sorted.upTo(to) - first);
        for (int i = first; i < first + count; i++) {
            consumer.accept(sorted.key(i, found), sorted.value(i));
        }
        return count;
    }

    // ------------------------------------------------------------------------------------------------ downwards

    /** The same by descending keys, from the highest key of the interval to the lowest. */
    final long scanDown(TreeKey from, TreeKey to, long limit, TreeConsumer consumer, ComputeThread ct) {
        next.set(from);
        long left = limit;
        while (left > 0 && next.compareTo(to) >= 0) {
            int count = readLeaves(next, to, left, DOWN, ct);
            TreeNode leaf = leaf(0, ct);
            if (!isUsable(leaf) || !leaf.owns(next)) {
                leaf = search(next, ct);
                count = 1;
            }
            for (int i = 1; ; i++) {
                left -= passDown(leaf, next, to, left, consumer);
                if (!leaf.beginsAbove(to)) {
                    return limit - left;
                }
                // leaves have no links to the left, but this key is in the one that is there now
                leaf.low(next).stepDown();
                if (i >= count || !isUsable(leaf(i, ct)) || !precedes(leaf(i, ct), next)) {
                    break;
                }
                leaf = leaf(i, ct);
            }
        }
        return limit - left;
    }

    /** Whether a leaf that was READ together with others is the one with which a scan goes on downwards. */
    boolean precedes(TreeNode leaf, TreeKey key) {
        return leaf.owns(key);
    }

    /** Passes the entries of a leaf on, by descending keys; returns their number. */
    private int passDown(TreeNode leaf, TreeKey from, TreeKey to, long most, TreeConsumer consumer) {
        leaf.sort(sorted);
        int end = sorted.upTo(from);
        int count = (int) Math.min(most, end - sorted.below(to));
        for (int i = end - 1; i >= end - count; i--) {
            consumer.accept(sorted.key(i, found), sorted.value(i));
        }
        return count;
    }

    // ------------------------------------------------------------------------------------------------ leaves

    /** READs the leaves that come next, as far as one remembered parent names them; returns their number. */
    private int readLeaves(TreeKey from, TreeKey to, long left, int step, ComputeThread ct) {
        if (core.rootLevel() == 0) {
            readIn(ct.sequence(), leaf(0, ct), core.child(from, 0, ct)).execute();
            return 1;
        }
        TreeBranch parent = core.branch(from, 1, ct);
        int first = parent.indexOf(from);
        long wanted = Math.min(left, (long) BATCH * entries);
        long likely = Math.min(BATCH, wanted * 3 / (2L * entries) + 1); // as if leaves were two thirds full
        int count = 0;
        for (int i = first; count < likely && (i == first || isWanted(parent, i, to, step)); i += step) {
            chains.post(readIn(ct.sequence(), leaf(count, ct), parent.child(i)));
            count++;
        }
        chains.await();
        return count;
    }

    /** Whether a parent names a child that may own keys which a scan meets before it ends. */
    private static boolean isWanted(TreeBranch parent, int i, TreeKey to, int step) {
        return step == UP ? i < parent.size() && !parent.beginsAbove(i, to) : i >= 0 && parent.beginsAbove(i + 1, to);
    }

    /** Adds the READ of a leaf to a chain. */
    Sequence readIn(Sequence chain, TreeNode leaf, long at) {
        return leaf.readIn(chain, at);
    }

    /** Whether a leaf that was READ shows its entries. */
    boolean isUsable(TreeNode leaf) {
        return leaf.isWhole();
    }

    /** Finds the leaf that owns a key, and READs it by itself. */
    TreeNode search(TreeKey key, ComputeThread ct) {
        return core.search(key, 0, ct);
    }

    private TreeNode leaf(int i, ComputeThread ct) {
        TreeNode leaf = leaves[i];
        if (leaf == null) {
            leaf = core.makeNode(ct);
            leaves[i] = leaf;
        }
        return leaf;
    }
}
