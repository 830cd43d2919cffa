// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * How a thread finds the node of an ordered map that owns a key, from the inner nodes that its node remembers, and over
 * links. Each method that may pass a link, as the paper calls it, ends at that node. On the way it finishes splits
 * and removals that others have left unfinished. None holds two locks.
 */
class TreeSearch {
    final TreeTable This;
    final TreeAccess access;

    /** The node that was READ last: that of {@link #access}. */
    final TreeNode node;

    final TreeCache cache;

    /** The root when it was READ last: now perhaps the leftmost node of a lower level. */
    long root;

    // A node that was passed by a link and that its parent did not name, or null: its lowest key, pointer, and level.
    final TreeKey unfinishedKey;
    long unfinishedLink = RdmaPtr.NULL;
    int unfinishedLevel;

    /** When this handle last asked how many nodes were retired. */
    private long epoch;

    /** Makes one that remembers inner nodes, and READs and locks nodes, in a given way. The table was just fetched. */
    TreeSearch(TreeTable This, TreeCache cache, TreeAccess access, ComputeThread ct) {
        this.This = This;
        this.cache = cache;
        this.access = access;
        node = access.node;
        unfinishedKey = new TreeKey(This.words());
        root = This.root.fetched();
        epoch = ct.reclamationEpoch();
    }

    // ------------------------------------------------------------------------------------------------ searching

    /** READs the node of a level that owns a key, as a whole, and returns it. */
    final TreeNode search(TreeKey key, int level, ComputeThread ct) {
        long at = child(key, level, ct);
        access.read(at, ct);
        return moveRight(key, level, ct);
    }

    /** READs the leaf that owns a key, as a whole and while no thread has it locked, and returns it. */
    final TreeNode searchPinned(TreeKey key, ComputeThread ct) {
        do {
            access.readAsPinned(search(key, 0, ct).pointer(), ct);
        } while (!node.owns(key));
        return node;
    }

    /** From the node that was READ, which owns a key or owned it once, to the one that does. */
    final TreeNode moveRight(TreeKey key, int level, ComputeThread ct) {
        access.complete(ct);
        while (!node.owns(key)) {
            access.read(next(key, level, ct), ct);
        }
        return node;
    }

    /** Locks the node of a level that owns a key. */
    final void lockOwner(TreeKey key, int level, ComputeThread ct) {
        access.lock(child(key, level, ct), ct);
        while (!node.owns(key)) {
            access.release(ct);
            access.lock(next(key, level, ct), ct);
        }
    }

    /** Where to look for the owner of a key after the node of the copy, which does not own it. */
    private long next(TreeKey key, int level, ComputeThread ct) {
        if (node.isGone()) {
            return beforeGone(level, ct);
        }
        long link = node.link();
        return passed(node.high(), link, level, ct) ? child(key, level, ct) : link;
    }

    /** A node of a level that owns a key, or owned it once. No round trip if the inner nodes are remembered. */
    final long child(TreeKey key, int level, ComputeThread ct) {
        forgetRetired(ct);
        if (level == rootLevel()) {
            return TreeTable.node(root);
        }
        TreeBranch parent = branch(key, level + 1, ct);
        return parent.child(parent.indexOf(key));
    }

    /** The inner node of a level that owns a key, or owned it when it was READ. */
    final TreeBranch branch(TreeKey key, int level, ComputeThread ct) {
        long at = child(key, level, ct);
        while (true) {
            TreeBranch found = cache.find(at, ct);
            if (found == null) {
                access.read(at, ct);
                if (node.isGone()) {
                    at = beforeGone(level, ct);
                    continue;
                }
                found = cache.learn(node);
            }
            if (found.owns(key)) {
                return found;
            }
            long link = found.link();
            at = passed(found.high(), link, level, ct) ? child(key, level, ct) : link;
        }
    }

    /**
     * Called after a link was passed. This thread's copy of the parent is old, and is READ again; or the parent does
     * not name the node behind the link. If it has room, and no other thread has locked it, it does afterwards; else
     * the next put of this handle finishes the split, unless memory is full.
     *
     * @return whether {@link #child} leads past the link now
     */
    private boolean passed(TreeKey key, long link, int level, ComputeThread ct) {
        if (isNamed(key, link, level, ct)
                || level < rootLevel() && tryEnter(branch(key, level + 1, ct), key, link, ct)) {
            return true;
        }
        enterLater(key, link, level);
        return false;
    }

    /** Leaves it to the next put of this handle to enter a node of a level in its parent. */
    final void enterLater(TreeKey key, long at, int level) {
        unfinishedKey.set(key);
        unfinishedLink = at;
        unfinishedLevel = level;
    }

    /** Whether the parent names a node of a level that begins at a key. READs it again if the copy does not. */
    private boolean isNamed(TreeKey key, long at, int level, ComputeThread ct) {
        if (level == rootLevel()) {
            root = This.root.load(ct);
        }
        if (level == rootLevel() && TreeNode.isForwarded(key)) { // by a bulk load
            root = This.adopt(root, node.forwardedRoot(TreeTable.node(root), ct), ct);
        }
        if (level == rootLevel()) {
            return false; // the root was split, and no other one is above it yet
        }
        TreeBranch parent = branch(key, level + 1, ct);
        return parent.names(key, at) || readAgain(parent, key, level + 1, ct).names(key, at);
    }

    /**
     * An inner node of a level that owns a key, and that is newer than the copy that is too old. It is READ, unless
     * another thread of this node has just done so.
     */
    final TreeBranch readAgain(TreeBranch old, TreeKey key, int level, ComputeThread ct) {
        old.forget();
        return branch(key, level, ct);
    }

    /** Remembers the node of the copy, if it is an inner one and not gone. */
    final void learn() {
        if (node.isGone()) {
            cache.forget(node.pointer());
        } else if (node.level() > 0) {
            cache.learn(node);
        }
    }

    /**
     * What this handle may use stays in memory while no node is retired. Other nodes may come into their place later:
     * when a pointer may have become stale, uses no older copies than of now if some were retired. One round trip, or
     * none.
     */
    void forgetRetired(ComputeThread ct) {
        long now = ct.reclamationEpoch();
        if (now != epoch) {
            long count = This.retired.load(ct);
            if (count != cache.retired()) {
                cache.setRetired(count);
                unfinishedLink = RdmaPtr.NULL;
            }
            epoch = now;
        }
    }

    /** A copy of a node for other uses. */
    final TreeNode makeNode(ComputeThread ct) {
        return node.another(ct);
    }

    final int rootLevel() {
        return TreeTable.level(root);
    }

    // ------------------------------------------------------------------------------------------------ parents

    /** Enters a child in a parent that has room, unless another thread has locked it. Returns whether it is there. */
    private boolean tryEnter(TreeBranch parent, TreeKey key, long child, ComputeThread ct) {
        return (parent.size() < This.entries() || parent.has(key))
                && access.tryLock(parent.pointer(), ct)
                && enterHere(key, child, ct);
    }

    /**
     * Enters a child in the locked node, if that owns its key and has room, and the child is not gone; releases it. A
     * child that began at the same key is gone. Returns whether it is there.
     */
    final boolean enterHere(TreeKey key, long child, ComputeThread ct) {
        int slot = node.find(key);
        boolean isThere = slot >= 0 && node.value(slot) == child;
        int free = slot < 0 ? node.empty() : slot;
        boolean isEntered = !isThere && node.owns(key) && free >= 0 && !isGone(child, ct);
        if (isEntered) {
            write(free, key, child, ct);
        } else {
            access.release(ct);
        }
        learn();
        return isThere || isEntered;
    }

    /** Whether a child is gone, and then forgets it. As long as its parent is locked, it is not removed. */
    boolean isGone(long child, ComputeThread ct) {
        try {
            boolean isGone = node.isGone(child, ct);
            if (isGone) {
                cache.forget(child);
            }
            return isGone;
        } catch (RuntimeException e) {
            access.undo(ct);
            throw e;
        }
    }

    /** Fills a slot of the locked node, and releases it. */
    final void write(int slot, TreeKey key, long newValue, ComputeThread ct) {
        node.setEntry(slot, key, newValue);
        Sequence chain = ct.sequence();
        node.writeEntryIn(chain, slot);
        access.executeAndRelease(chain, ct);
    }

    /** Empties a slot of the locked node, and releases it. */
    final void empty(int slot, ComputeThread ct) {
        node.setEmpty(slot);
        Sequence chain = ct.sequence();
        node.writeRemovalIn(chain, slot);
        access.executeAndRelease(chain, ct);
    }

    // ------------------------------------------------------------------------------------------------ gone nodes

    /**
     * The left neighbour of the node of the copy, which is gone: it owns the keys now. Completes the removal, of which
     * another thread has done the first steps, or was lost after them.
     */
    private long beforeGone(int level, ComputeThread ct) {
        long gone = node.pointer();
        TreeKey low = node.low();
        TreeKey high = node.high();
        long link = node.link();
        if (level == rootLevel()) {
            root = This.root.load(ct); // it had a parent
        }
        TreeBranch parent = readAgain(branch(low, level + 1, ct), low, level + 1, ct);
        if (!parent.beginsAt(low) && parent.names(low, gone) && access.tryLock(parent.pointer(), ct)) {
            leaveHere(low, gone, ct);
        }
        if (search(low.lower(), level, ct).link() == gone) {
            unlink(gone, low, high, link, level, ct);
        }
        learn(); // its copy may be old
        return node.pointer();
    }

    /** Lets the locked node name a child no longer, if it does; its first one stays. Releases it. */
    final void leaveHere(TreeKey key, long child, ComputeThread ct) {
        int slot = node.find(key);
        if (slot >= 0 && node.value(slot) == child && !node.beginsAt(key)) {
            empty(slot, ct);
        } else {
            access.release(ct);
        }
        learn();
    }

    /** Lets the left neighbour of a node that is gone own its keys, unless it does already; its copy is READ then. */
    void unlink(long gone, TreeKey low, TreeKey high, long link, int level, ComputeThread ct) {
        lockOwner(low.lower(), level, ct);
        if (node.link() == gone) {
            node.bound(high, link);
            Sequence chain = ct.sequence();
            node.writeBoundsIn(chain);
            node.writeSlotsIn(chain);
            access.executeAndRelease(chain, ct);
        } else {
            access.release(ct);
        }
        learn();
    }
}
