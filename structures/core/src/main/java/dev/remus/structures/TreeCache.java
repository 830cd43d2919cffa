// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;
import org.jspecify.annotations.Nullable;

/**
 * A handle's view of the copies of inner nodes that the threads of its node share: it decides which of them the handle
 * may use.
 *
 * <p>A copy has a date: how many nodes of the map were retired when its maker last looked before its READ. A handle
 * looks when it is made, and again whenever its pointers may have become stale. It uses only copies whose date is at
 * least the number that it has READ then. No node that these name was retired before that look, so their memory is not
 * used again before the next one. The design note {@code structures/core/design/LongLongTree.md} has the argument.
 */
class TreeCache {
    /** A bound that no heap holds. */
    private static final int MOST = 1 << 28;

    private final int words;
    private final @Nullable KnownBranches known;

    /** The entries of the node that is learned. */
    private final TreeEntries sorted;

    /** Holds the last node that was learned, if there is no room for any. No other handle sees it. */
    private final TreeBranch only;

    private long retired;

    /**
     * Makes a handle's view of what all handles of the node remember that were given the same capacity.
     *
     * @param map as it was just fetched
     * @param capacity the most nodes, 0 for none
     */
    TreeCache(TreeTable map, int capacity, ComputeThread ct) {
        this(map, map.stamp(), capacity, ct);
    }

    /** The same, for a map that has a given stamp. */
    TreeCache(TreeTable map, long stamp, int capacity, ComputeThread ct) {
        words = map.words();
        known = capacity == 0 ? null : KnownBranches.ofNode(map.pointer(), stamp, capacity, ct);
        sorted = new TreeEntries(words, map.entries());
        only = new TreeBranch(words, capacity == 0 ? map.entries() : 0);
        retired = map.retired.fetched();
    }

    /** The most nodes that the threads of a node remember together, as {@code --cn-cache-records} allows. */
    static int capacity(ComputeThread ct) {
        return (int)
                Math.min(MOST, (long) ct.config().cacheRecords() * ct.config().threadsPerNode());
    }

    /** Finds the copy of a node, or null. */
    final @Nullable TreeBranch find(long node, ComputeThread ct) {
        if (known == null) {
            return null;
        }
        TreeBranch found = known.find(node);
        if (found != null && isUsable(found)) {
            ct.metrics().countCacheHit();
            return found;
        }
        ct.metrics().countCacheMiss();
        return null;
    }

    /** Whether this handle may use a copy that some thread of its node has made. */
    boolean isUsable(TreeBranch branch) {
        return branch.date() >= retired && !branch.isForgotten();
    }

    /** Remembers an inner node, as it was READ. The result is valid until the next one is learned. */
    final TreeBranch learn(TreeNode node) {
        node.sort(sorted);
        if (known == null) {
            only.set(node, sorted, retired);
            return only;
        }
        TreeBranch branch = new TreeBranch(words, sorted.size());
        branch.set(node, sorted, retired);
        known.learn(branch);
        return branch;
    }

    /** Forgets a node, if it is remembered. */
    final void forget(long node) {
        TreeBranch found = known == null ? null : known.find(node);
        if (found != null) {
            found.forget();
        }
    }

    /** The number of nodes that had been retired when this handle looked last. */
    final long retired() {
        return retired;
    }

    /** Refuses copies from now on that are older than this number of retired nodes, which was just READ. */
    final void setRetired(long count) {
        retired = count;
    }

    /** Gives local memory back after the map was destroyed. */
    final void forgetAll() {
        if (known != null) {
            known.forget();
        }
    }
}
