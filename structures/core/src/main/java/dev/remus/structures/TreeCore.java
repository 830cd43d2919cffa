// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;

/**
 * The algorithm of a B-link tree from keys to words: how a node is changed and split. {@link TreeSearch} finds it,
 * {@link TreeRemoval} removes it when it has become empty, and {@link LongLongTree} has the promises. Results are in
 * fields, so that nothing is allocated. No method holds two locks.
 */
class TreeCore extends TreeSearch {
    /** Where {@link #get} and the updates left the value that a key has, or had before. */
    long value;

    /** Where the new node of a split is made. */
    private final TreeNode sibling;

    private final TreeEntries entries;
    private final TreeKey scratch;

    /** A block that was allocated and that no other thread has seen, or null. */
    private long spare = RdmaPtr.NULL;

    /** Whether the last allocation failed. Then splits of other threads are left for later. */
    private boolean isMemoryFull;

    /** Makes a handle that remembers so many inner nodes, together with others of its node. */
    TreeCore(TreeTable This, int rememberedNodes, ComputeThread ct) {
        this(
                This,
                new TreeCache(This, rememberedNodes, ct),
                new TreeAccess(new TreeNode(This.words(), This.entries(), ct), ct),
                ct);
    }

    /** Makes one that remembers inner nodes, and READs and locks nodes, in a given way. */
    TreeCore(TreeTable This, TreeCache cache, TreeAccess access, ComputeThread ct) {
        super(This, cache, access, ct);
        sibling = access.node.another(ct);
        entries = new TreeEntries(This.words(), This.entries());
        scratch = new TreeKey(This.words());
    }

    /** After a failure, outstanding operations may still use the old local memory: they keep it. */
    void renewLocal(ComputeThread ct) {
        access.renewLocal(ct);
        sibling.renewLocal(ct);
    }

    /** A bulk load into this map. */
    TreeLoad makeLoad(ComputeThread ct) {
        return new TreeLoad(This, access, ct);
    }

    // ------------------------------------------------------------------------------------------------ operations

    /** Looks up a key; returns whether it is there. */
    final boolean get(TreeKey key, ComputeThread ct) {
        long at = child(key, 0, ct);
        node.read(at, ct);
        int slot = node.find(key); // if it is found, its seal proves that it was there
        if (slot < 0) {
            slot = moveRight(key, 0, ct).find(key);
        }
        return take(slot);
    }

    /** Sets the value of a key; returns whether it had one. */
    final boolean put(TreeKey key, long newValue, ComputeThread ct) {
        int slot = lockEntry(key, 0, ct);
        boolean isThere = take(slot);
        write(isThere ? slot : node.empty(), key, newValue, ct);
        releaseSpare(ct);
        return isThere;
    }

    /** Sets the value of a key if it has none; returns whether it had one. */
    final boolean putIfAbsent(TreeKey key, long newValue, ComputeThread ct) {
        int slot = lockEntry(key, 0, ct);
        boolean isThere = take(slot);
        if (isThere) {
            access.release(ct);
        } else {
            write(node.empty(), key, newValue, ct);
        }
        releaseSpare(ct);
        return isThere;
    }

    /** Sets the value of a key if it is an expected one; returns whether it was. */
    final boolean replace(TreeKey key, long expected, long newValue, ComputeThread ct) {
        lockOwner(key, 0, ct);
        int slot = node.find(key);
        boolean isExpected = take(slot) && value == expected;
        if (isExpected) {
            write(slot, key, newValue, ct);
        } else {
            access.release(ct);
        }
        return isExpected;
    }

    /** Removes a key; returns whether it was there. */
    final boolean remove(TreeKey key, ComputeThread ct) {
        lockOwner(key, 0, ct);
        int slot = node.find(key);
        boolean isThere = take(slot);
        if (isThere) {
            empty(slot, ct);
        } else {
            access.release(ct);
        }
        return isThere;
    }

    /** Removes the entries of the leaf that owns a key, from that key on; returns their number. */
    final int clearLeaf(TreeKey from, ComputeThread ct) {
        lockOwner(from, 0, ct);
        int count = 0;
        for (int slot = 0; slot < node.slots(); slot++) {
            if (node.isPresent(slot) && node.compareKey(slot, from) >= 0) {
                node.setEmpty(slot);
                count++;
            }
        }
        if (count > 0) {
            Sequence chain = ct.sequence();
            node.writeVersionIn(chain);
            node.writeSlotsIn(chain);
            access.executeAndRelease(chain, ct);
        } else {
            access.release(ct);
        }
        return count;
    }

    private boolean take(int slot) {
        value = slot < 0 ? 0 : node.value(slot);
        return slot >= 0;
    }

    // ------------------------------------------------------------------------------------------------ changing

    /**
     * Locks the node of a level that owns a key, and splits it first if it must and has no room. Returns the slot of
     * the key, or -1.
     */
    private int lockEntry(TreeKey key, int level, ComputeThread ct) {
        while (true) {
            lockOwner(key, level, ct);
            int slot = node.find(key);
            if (unfinishedLink != RdmaPtr.NULL && !isMemoryFull) {
                access.release(ct);
                finishSplit(ct);
            } else if (slot >= 0 || node.empty() >= 0) {
                return slot;
            } else if (spare == RdmaPtr.NULL) {
                access.release(ct); // an allocation may wait until other threads reclaim memory
                takeSpare(ct);
            } else {
                split(key, ct);
            }
        }
    }

    /** Splits the locked node, which has no room for a key, releases it, and enters the new node in the parent. */
    private void split(TreeKey key, ComputeThread ct) {
        int level = node.level();
        TreeKey middle = divide(key);
        long at = spare;
        spare = RdmaPtr.NULL; // also after a failure: from now on another thread may find it, or the WRITE may be late
        publish(node, sibling, at, ct);
        learn();
        enter(middle, at, level + 1, ct);
    }

    /** Moves the upper entries to the copy of a new sibling; returns the key that is its lowest. */
    private TreeKey divide(TreeKey key) {
        node.sort(entries);
        int count = entries.size();
        boolean isAscending = node.isLast() && entries.compare(count - 1, key) < 0; // then full nodes stay behind
        int from = isAscending ? count - 1 : count / 2;
        sibling.stage(node.level(), entries.key(from, scratch), node.high(), node.link());
        for (int i = from; i < count; i++) {
            sibling.setEntry(i - from, entries.key(i, scratch), entries.value(i));
        }
        return sibling.low();
    }

    /**
     * WRITEs the new sibling, then the node's bounds, by which the sibling becomes reachable, then the node's slots.
     * In this order no key is ever out of reach.
     */
    void publish(TreeNode left, TreeNode right, long at, ComputeThread ct) {
        Sequence chain = ct.sequence();
        right.writeIn(chain, at);
        if (RdmaPtr.node(at) != RdmaPtr.node(left.pointer())) {
            executeLocked(chain, ct); // placed: on another lane, to another node, the link could be visible first
            chain = ct.sequence();
        }
        left.bound(right.low(), at);
        left.writeBoundsIn(chain);
        left.writeSlotsIn(chain);
        access.executeAndRelease(chain, ct);
    }

    /** Executes a chain and keeps the lock, but not after a failure. */
    final void executeLocked(Sequence chain, ComputeThread ct) {
        try {
            chain.execute();
        } catch (RuntimeException e) {
            access.undo(ct);
            throw e;
        }
    }

    /** Before anything is changed, and without a lock, since it fails, or waits, if remote memory is full. */
    void takeSpare(ComputeThread ct) {
        isMemoryFull = true;
        spare = ct.allocate(sibling.bytes());
        isMemoryFull = false;
    }

    // ------------------------------------------------------------------------------------------------ parents

    /**
     * Enters a child in the node of a level that owns its lowest key, unless another thread has done so. If memory for
     * that is full, it stays as it is: links lead to the child, until a later put enters it.
     */
    private void enter(TreeKey key, long child, int level, ComputeThread ct) {
        try {
            enterWithMemory(key, child, level, ct);
        } catch (OutOfRemoteMemoryException e) {
            isMemoryFull = true; // this thread holds no lock, and no entry of its own depends on it
        }
    }

    private void enterWithMemory(TreeKey key, long child, int level, ComputeThread ct) {
        if (level > rootLevel()) {
            root = This.root.load(ct);
        }
        if (level > rootLevel() && grow(key, child, ct)) {
            return;
        }
        lockEntry(key, level, ct);
        enterHere(key, child, ct);
    }

    /** Enters the node behind a link that this handle has passed, and that the parent did not name. */
    private void finishSplit(ComputeThread ct) {
        long link = unfinishedLink;
        unfinishedLink = RdmaPtr.NULL;
        enter(unfinishedKey.copy(), link, unfinishedLevel + 1, ct);
    }

    // ------------------------------------------------------------------------------------------------ the root

    /** Makes a root above the present one, with two children. Returns false if another thread was first. */
    private boolean grow(TreeKey key, long child, ComputeThread ct) {
        if (spare == RdmaPtr.NULL) {
            takeSpare(ct);
        }
        long at = spare;
        long grown = TreeTable.root(at, rootLevel() + 1);
        TreeKey lowest = TreeKey.lowest(This.words());
        sibling.stageLast(rootLevel() + 1, lowest);
        sibling.setEntry(0, lowest, TreeTable.node(root));
        sibling.setEntry(1, key, child);
        sibling.write(at, ct);
        spare = RdmaPtr.NULL; // also after a failure: the outcome may be unknown
        root = This.adopt(root, grown, ct);
        spare = root == grown ? RdmaPtr.NULL : at;
        return root == grown;
    }

    /** Gives a block back that was not needed, since another thread was faster. */
    private void releaseSpare(ComputeThread ct) {
        if (spare != RdmaPtr.NULL) {
            long block = spare;
            spare = RdmaPtr.NULL; // also after a failure: it may be free then
            ct.free(block, sibling.bytes());
        }
    }
}
