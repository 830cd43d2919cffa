// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * How nodes that have become empty leave an ordered map: the inverse of a split. The left neighbour owns their keys
 * afterwards. A leaf is empty when it has no entries, an inner node when it has no child but its first one.
 *
 * <ol>
 *   <li>Lock the parent, then the node: if it is still empty, mark it as gone, and release it.
 *   <li>Remove the entry of the node in the parent, and release that.
 *   <li>Lock the left neighbour: it gets the upper bound and the link of the node. Release it.
 *   <li>Retire the node. The child of an inner node is removed, too, if it is empty; or else entered in the left
 *       neighbour.
 * </ol>
 *
 * <p>A node is not removed while it is the first child of its parent: only together with that. So an inner node has one
 * empty child at most, and not for longer than it has others. A leaf that becomes empty between its split and the first
 * root above it stays, too, until it is emptied again.
 */
class TreeRemoval {
    private final TreeCore core;

    /** The parent of the node: that of {@link TreeCore#access}. */
    private final TreeNode parent;

    private final TreeAccess access;
    private final TreeNode node;

    /** The first child of the node that was marked last. */
    private long child;

    TreeRemoval(TreeCore core, ComputeThread ct) {
        this.core = core;
        this.parent = core.access.node;
        this.node = core.makeNode(ct);
        this.access = new TreeAccess(node, ct);
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    final void renewLocal(ComputeThread ct) {
        access.renewLocal(ct);
    }

    /** Removes the leaf that was changed last, if it is empty, and inner nodes that are empty then. */
    final void tidy(ComputeThread ct) {
        TreeNode leaf = core.access.node;
        if (isEmpty(leaf)) {
            remove(leaf.pointer(), leaf.low(), 0, ct);
        }
    }

    /** Empties one leaf after the other, and removes it; returns the number of entries that were removed. */
    final long clear(ComputeThread ct) {
        TreeNode leaf = core.access.node;
        long count = 0;
        TreeKey next = TreeKey.lowest(leaf.words());
        boolean isLast;
        do {
            count += core.clearLeaf(next, ct);
            isLast = leaf.isLast();
            leaf.high(next);
            tidy(ct);
        } while (!isLast);
        return count;
    }

    /** Whether a node is empty that was so before it was locked. */
    boolean isStillEmpty(TreeNode locked) {
        return isEmpty(locked);
    }

    private static boolean isEmpty(TreeNode node) {
        return node.size() == (node.level() == 0 ? 0 : 1);
    }

    /** Removes a node, given its lowest key and its level, if it is empty. */
    private void remove(long at, TreeKey low, int level, ComputeThread ct) {
        if (low.isLowest() || level >= core.rootLevel()) {
            return; // it has no left neighbour
        }
        TreeBranch known = core.branch(low, level + 1, ct);
        if (known.beginsAt(low)) {
            known = core.readAgain(known, low, level + 1, ct); // the node may be the first child of another one now
        }
        if (known.beginsAt(low)) {
            if (known.size() == 1) {
                remove(known.pointer(), low, level + 1, ct);
            }
            return;
        }
        core.lockOwner(low, level + 1, ct);
        long parentAt = parent.pointer();
        TreeKey parentLow = parent.low();
        if (parentLow.equals(low)) { // it was split since the copy was READ, and the node is its first child now
            boolean isOnlyChild = isEmpty(parent);
            keep(at, low, level, ct);
            if (isOnlyChild) {
                remove(parentAt, low, level + 1, ct);
            }
            return;
        }
        if (!tryMark(at, ct)) {
            keep(at, low, level, ct);
            return;
        }
        core.leaveHere(low, at, ct);
        boolean isParentEmpty = isEmpty(parent);
        core.unlink(at, low, node.high(), node.link(), level, ct);
        long onlyChild = child;
        retire(at, ct);
        if (level > 0) {
            remove(onlyChild, low, level - 1, ct);
        }
        if (isParentEmpty) {
            remove(parentAt, parentLow, level + 1, ct);
        }
    }

    /** Releases the parent of a node that stays. It names the node then, which may be the child of one that is gone. */
    private void keep(long at, TreeKey low, int level, ComputeThread ct) {
        if (!core.enterHere(low, at, ct)) {
            core.enterLater(low, at, level); // not now: a removal needs no memory
        }
    }

    /** Marks a node as gone if it is empty; returns whether it was. Its parent is locked. */
    private boolean tryMark(long at, ComputeThread ct) {
        try {
            access.lock(at, ct);
            boolean isMarked = !node.isGone() && isStillEmpty(node);
            if (isMarked) {
                mark(ct);
            } else {
                access.release(ct);
            }
            return isMarked;
        } catch (RuntimeException e) {
            core.access.undo(ct);
            throw e;
        }
    }

    /** Marks the locked node as gone, and releases it. */
    void mark(ComputeThread ct) {
        child = node.level() == 0 ? RdmaPtr.NULL : node.value(node.find(node.low()));
        node.markGone();
        Sequence chain = ct.sequence();
        node.writeBoundsIn(chain);
        node.writeSlotsIn(chain);
        access.executeAndRelease(chain, ct);
    }

    /** No handle uses a copy that names the node any more when its memory is used again. */
    void retire(long at, ComputeThread ct) {
        core.This.retired.fetchAdd(1, ct);
        ct.schedReclaim(at, node.bytes());
    }
}
