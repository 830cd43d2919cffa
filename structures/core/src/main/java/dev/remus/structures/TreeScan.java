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
    private final long[] keys;
    private final long[] values;
    private final MapChains chains;
    private @Nullable TreeNode[] leaves = new TreeNode[BATCH];

    TreeScan(TreeCore core, int entries, ComputeThread ct) {
        this.core = core;
        this.entries = entries;
        this.keys = new long[entries];
        this.values = new long[entries];
        this.chains = new MapChains(ct);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        leaves = new TreeNode[BATCH];
    }

    // ------------------------------------------------------------------------------------------------ upwards

    /** Passes the entries of an interval on, by ascending keys, up to a limit; returns their number. */
    final long scan(long from, long to, long limit, LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        long next = from;
        long left = limit;
        while (left > 0 && next <= to) {
            int count = readLeaves(next, to, left, UP, ct);
            TreeNode leaf = leaf(0, ct);
            if (!isUsable(leaf) || !leaf.owns(next)) {
                leaf = search(next, ct);
                count = 1;
            }
            for (int i = 1; ; i++) {
                left -= pass(leaf, next, to, left, consumer);
                if (leaf.isLast() || leaf.high() > to) {
                    return limit - left;
                }
                next = leaf.high();
                if (i >= count || !isUsable(leaf(i, ct)) || !follows(leaf(i, ct), next)) {
                    break;
                }
                leaf = leaf(i, ct);
            }
        }
        return limit - left;
    }

    /** Whether a leaf that was READ together with others is the one with which a scan goes on. */
    boolean follows(TreeNode leaf, long next) {
        return leaf.owns(next);
    }

    /** Passes the entries of a leaf on; returns their number. */
    int pass(TreeNode leaf, long from, long to, long most, LongLongMap.LongLongConsumer consumer) {
        int count = leaf.sort(keys, values);
        int passed = 0;
        for (int i = 0; i < count && passed < most && keys[i] <= to; i++) {
            if (keys[i] >= from) {
                consumer.accept(keys[i], values[i]);
                passed++;
            }
        }
        return passed;
    }

    // ------------------------------------------------------------------------------------------------ downwards

    /** The same by descending keys, from the highest key of the interval to the lowest. */
    final long scanDown(long from, long to, long limit, LongLongMap.LongLongConsumer consumer, ComputeThread ct) {
        long next = from;
        long left = limit;
        while (left > 0 && next >= to) {
            int count = readLeaves(next, to, left, DOWN, ct);
            TreeNode leaf = leaf(0, ct);
            if (!isUsable(leaf) || !leaf.owns(next)) {
                leaf = search(next, ct);
                count = 1;
            }
            for (int i = 1; ; i++) {
                left -= passDown(leaf, next, to, left, consumer);
                if (leaf.low() <= to) {
                    return limit - left;
                }
                next = leaf.low() - 1; // leaves have no links to the left, but this key is in the one that is there now
                if (i >= count || !isUsable(leaf(i, ct)) || !precedes(leaf(i, ct), next)) {
                    break;
                }
                leaf = leaf(i, ct);
            }
        }
        return limit - left;
    }

    /** Whether a leaf that was READ together with others is the one with which a scan goes on downwards. */
    boolean precedes(TreeNode leaf, long next) {
        return leaf.owns(next);
    }

    /** Passes the entries of a leaf on, by descending keys; returns their number. */
    private int passDown(TreeNode leaf, long from, long to, long most, LongLongMap.LongLongConsumer consumer) {
        int passed = 0;
        for (int i = leaf.sort(keys, values) - 1; i >= 0 && passed < most && keys[i] >= to; i--) {
            if (keys[i] <= from) {
                consumer.accept(keys[i], values[i]);
                passed++;
            }
        }
        return passed;
    }

    // ------------------------------------------------------------------------------------------------ leaves

    /** READs the leaves that come next, as far as one remembered parent names them; returns their number. */
    private int readLeaves(long from, long to, long left, int step, ComputeThread ct) {
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
    private static boolean isWanted(TreeBranch parent, int i, long to, int step) {
        return step == UP ? i < parent.size() && parent.key(i) <= to : i >= 0 && parent.key(i + 1) > to;
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
    TreeNode search(long key, ComputeThread ct) {
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
