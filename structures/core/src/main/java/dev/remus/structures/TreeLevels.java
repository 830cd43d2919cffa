// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A walk through all nodes of an ordered map, level by level, while no other thread uses it. */
final class TreeLevels {
    private final TreeTable This;
    private final TreeAccess access;
    private final TreeNode node;
    private final TreeKey lowest;

    /** The children that the inner nodes of a level name, by their lowest keys. */
    private Map<TreeKey, Long> named = new TreeMap<>();

    /** The same for the level below. */
    private Map<TreeKey, Long> namedBelow = new TreeMap<>();

    /** The lowest keys of the nodes on the level above. */
    private Set<TreeKey> lowsAbove = new HashSet<>();

    /** The same of this level. */
    private Set<TreeKey> lows = new HashSet<>();

    /** The lowest keys of the nodes on the level above that have one child only and should be gone if that is empty. */
    private Set<TreeKey> removableAbove = new HashSet<>();

    /** The same of this level. */
    private Set<TreeKey> removable = new HashSet<>();

    private long size;
    private long unnamed;
    private long unremoved;

    TreeLevels(TreeTable This, ComputeThread ct) {
        this.This = This;
        this.access = new TreeAccess(new TreeNode(This.words(), This.entries(), ct), ct);
        this.node = access.node;
        this.lowest = TreeKey.lowest(This.words());
    }

    // ------------------------------------------------------------------------------------------------ checking

    /**
     * Checks all nodes. Afterwards {@link #size}, {@link #unnamed} and {@link #unremoved} have results.
     *
     * @throws IllegalStateException naming what does not hold
     */
    void check(ComputeThread ct) {
        ct.place();
        long root = This.root.load(ct);
        named.put(lowest, TreeTable.node(root));
        for (int level = TreeTable.level(root); level >= 0; level--) {
            checkLevel(level, ct);
            named = namedBelow;
            namedBelow = new TreeMap<>();
            lowsAbove = lows;
            lows = new HashSet<>();
            removableAbove = removable;
            removable = new HashSet<>();
        }
    }

    private void checkLevel(int level, ComputeThread ct) {
        long at = first(named);
        TreeKey low = lowest;
        size = 0;
        while (at != RdmaPtr.NULL) {
            access.read(at, ct);
            require(node.level() == level && node.beginsAt(low), "does not follow the one before");
            require(node.endsAbove(low), "owns no keys");
            require(ct.lockWords().canAcquire(node.lock()), "is locked by thread " + LockWords.holder(node.lock()));
            long next = node.link();
            TreeKey high = node.high();
            if (node.isGone()) {
                require(node.size() == 0 && !low.isLowest(), "has entries, or no left neighbour");
                unremoved++;
            } else {
                checkPlace();
                checkEntries(level);
            }
            named.remove(low, at);
            at = next;
            low = high;
        }
        for (Map.Entry<TreeKey, Long> left : named.entrySet()) {
            access.read(left.getValue(), ct);
            require(node.isGone() && node.beginsAt(left.getKey()), "is named by a parent, but is not on its level");
            unremoved++;
        }
    }

    private void checkPlace() {
        TreeKey low = node.low();
        Long asNamed = named.get(low);
        unnamed += asNamed == null || asNamed != node.pointer() ? 1 : 0;
        boolean isFirst = low.isLowest() || lowsAbove.contains(low);
        boolean mayGo = !isFirst || removableAbove.contains(low);
        unremoved += node.level() == 0 && node.size() == 0 && mayGo ? 1 : 0;
        if (node.size() == 1 && mayGo) {
            removable.add(low);
        }
        lows.add(low);
    }

    private long first(Map<TreeKey, Long> nodes) {
        Long first = nodes.get(lowest);
        if (first == null) {
            throw new IllegalStateException("no inner node names the first one of the level below");
        }
        return first;
    }

    private void checkEntries(int level) {
        Set<TreeKey> keys = new HashSet<>();
        for (int i = 0; i < node.slots(); i++) {
            if (node.isPresent(i)) {
                TreeKey key = node.key(i, new TreeKey(This.words()));
                require(
                        node.owns(key) && keys.add(key),
                        "has the key " + key + ", which is not its own, or is there twice");
                if (level > 0) {
                    namedBelow.put(key, node.value(i));
                }
                size++;
            }
        }
        require(level == 0 || keys.contains(node.low()), "does not name the child that begins where it does");
    }

    private void require(boolean isTrue, String otherwise) {
        if (!isTrue) {
            throw new IllegalStateException(node + " " + otherwise);
        }
    }

    /** The number of entries in leaves. */
    long size() {
        return size;
    }

    /** The number of nodes that no inner node names yet: those of splits that were interrupted. */
    long unnamed() {
        return unnamed;
    }

    /** The number of nodes that are gone, and of leaves that should be: those of removals that were interrupted. */
    long unremoved() {
        return unremoved;
    }

    // ------------------------------------------------------------------------------------------------ the end

    /** Frees all nodes. */
    void free(ComputeThread ct) {
        long root = This.root.load(ct);
        long first = TreeTable.node(root);
        boolean isFirstFreed = false;
        for (int level = TreeTable.level(root); level >= 0; level--) {
            long at = first;
            while (at != RdmaPtr.NULL) {
                access.read(at, ct);
                if (at == first && level > 0) {
                    first = node.value(node.find(lowest));
                }
                isFirstFreed |= at == This.firstLeaf();
                long link = node.link();
                ct.free(at, node.bytes());
                at = link;
            }
        }
        if (!isFirstFreed) {
            ct.free(This.firstLeaf(), node.bytes()); // put aside by a bulk load
        }
    }
}
