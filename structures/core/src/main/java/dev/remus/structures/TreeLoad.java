// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.fabric.FabricException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.Sequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A bulk load of an ordered map. Entries arrive by ascending keys, and fill the last node of each level. A node that is
 * full is staged, and many are written together. No other thread finds one of them before all are placed.
 *
 * <p>Then the first leaf of the map, which is empty, gives all keys to the loaded leaves, by the same step as a split,
 * and keeps none. Handles that remember it as the root pass its link from now on. It {@linkplain
 * TreeNode#forward leads} them to the loaded root, too, and the first of them stores that in the table, if the thread
 * that loads has not done so.
 */
class TreeLoad implements TreeConsumer {
    /** Nodes get so many tenths of the entries that fit in, so that insertions find room. */
    private static final int TENTHS = 9;

    /** With a single child in each node, the levels would not end. */
    private static final int LEAST_ENTRIES = 2;

    /** The most nodes that are written together. */
    private static final int BATCH = 64;

    private static final int FIRST_BLOCKS = 64;

    private final TreeTable This;
    private final TreeAccess access;
    private final ComputeThread ct;
    private final MapChains chains;
    private final int share;

    /** From the leaves upwards. */
    private final List<Level> levels = new ArrayList<>();

    private long size;
    private final TreeKey lastKey;
    private final TreeKey scratch;

    // The nodes that are full but not written yet, and where they belong.
    private final TreeNode[] staged = new TreeNode[BATCH];
    private final long[] places = new long[BATCH];
    private int stagedCount;

    // All blocks of nodes that no other thread can find.
    private long[] blocks = new long[FIRST_BLOCKS];
    private int blockCount;

    TreeLoad(TreeTable This, TreeAccess access, ComputeThread ct) {
        this.This = This;
        this.access = access;
        this.ct = ct;
        chains = new MapChains(ct);
        lastKey = new TreeKey(This.words());
        scratch = new TreeKey(This.words());
        share = Math.max(LEAST_ENTRIES, This.entries() * TENTHS / 10);
        for (int i = 0; i < BATCH; i++) {
            staged[i] = access.node.another(ct);
        }
    }

    /** Loads the entries of a source; returns their number. */
    final long load(Consumer<TreeConsumer> source) {
        access.read(This.firstLeaf(), ct);
        requireNew();
        try {
            source.accept(this);
            if (size > 0) {
                publish(finish());
            }
        } catch (FabricException e) {
            throw e; // the blocks are lost: a WRITE to one of them may be late
        } catch (RuntimeException e) {
            free();
            throw e;
        }
        return size;
    }

    private void requireNew() {
        if (!access.node.isLast() || access.node.size() > 0 || TreeTable.node(This.root.load(ct)) != This.firstLeaf()) {
            throw new IllegalStateException("a bulk load of an ordered map that is not new: it has, or had, entries");
        }
    }

    // ------------------------------------------------------------------------------------------------ building

    /** Takes the next entry. */
    @Override
    public final void accept(TreeKey key, long value) {
        if (size > 0 && key.compareTo(lastKey) <= 0) {
            throw new IllegalArgumentException("a bulk load needs ascending keys: " + key + " follows " + lastKey);
        }
        add(0, key, value);
        lastKey.set(key);
        size++;
    }

    /** Adds an entry to the last node of a level. If that is full, a new one follows it. */
    private void add(int level, TreeKey key, long value) {
        if (level == levels.size()) {
            levels.add(new Level(share, TreeKey.lowest(This.words()), allocate()));
        }
        Level last = levels.get(level);
        if (last.entries.size() == share) {
            long next = allocate();
            end(level, key, next);
            last.begin(key, next);
        }
        last.entries.add(key, value);
    }

    /** Ends the last node of each level; returns the root, which is above the leaves. */
    private long finish() {
        TreeKey none = new TreeKey(This.words());
        int level = 0;
        while (level == 0 || level < levels.size() - 1) {
            end(level, none, RdmaPtr.NULL);
            level++;
        }
        stage(level, none, RdmaPtr.NULL);
        flush();
        return TreeTable.root(levels.get(level).at, level);
    }

    /** Stages the last node of a level, and enters it in its parent. */
    private void end(int level, TreeKey high, long link) {
        stage(level, high, link);
        add(level + 1, levels.get(level).low, levels.get(level).at);
    }

    private void stage(int level, TreeKey high, long link) {
        if (stagedCount == BATCH) {
            flush();
        }
        Level last = levels.get(level);
        TreeNode node = staged[stagedCount];
        node.stage(level, last.low, high, link);
        for (int i = 0; i < last.entries.size(); i++) {
            node.setEntry(i, last.entries.key(i, scratch), last.entries.value(i));
        }
        places[stagedCount++] = last.at;
    }

    /** WRITEs the staged nodes, in chains that are in flight together. They are placed when this returns. */
    void flush() {
        for (int i = 0; i < stagedCount; i++) {
            if (places[i] != RdmaPtr.NULL) {
                chains.post(chainFrom(i));
            }
        }
        chains.await();
        stagedCount = 0;
    }

    /** A chain of WRITEs: a node and those after it that belong to the same Memory Node. */
    private Sequence chainFrom(int first) {
        Sequence chain = ct.sequence();
        int memoryNode = RdmaPtr.node(places[first]);
        int length = 0;
        for (int i = first; i < stagedCount && length < Sequence.capacity(); i++) {
            if (places[i] != RdmaPtr.NULL && RdmaPtr.node(places[i]) == memoryNode) {
                staged[i].writeIn(chain, places[i]);
                places[i] = RdmaPtr.NULL;
                length++;
            }
        }
        return chain;
    }

    /** The last node of a level, which still gets entries. */
    private static final class Level {
        private final TreeEntries entries;
        private final TreeKey low;
        private long at;

        Level(int share, TreeKey low, long at) {
            entries = new TreeEntries(low.words(), share);
            this.low = low.copy();
            this.at = at;
        }

        void begin(TreeKey newLow, long newPlace) {
            entries.clear();
            low.set(newLow);
            at = newPlace;
        }
    }

    private long allocate() {
        if (blockCount == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * blockCount);
        }
        long block = ct.allocate(access.node.bytes());
        blocks[blockCount++] = block;
        return block;
    }

    private void free() {
        for (int i = 0; i < blockCount; i++) {
            ct.free(blocks[i], access.node.bytes());
        }
    }

    // ------------------------------------------------------------------------------------------------ publishing

    /** Lets the first leaf lead to the loaded nodes, unless it has got entries meanwhile. */
    private void publish(long root) {
        lockFirstLeaf();
        long leftmost = blocks[0];
        blockCount = 0; // from now on other threads may find them, also after a failure
        link(root, leftmost);
        This.adopt(TreeTable.root(This.firstLeaf(), 0), root, ct);
    }

    /** Only its holder inserts entries, splits it, or loads others. */
    void lockFirstLeaf() {
        access.lock(This.firstLeaf(), ct);
        try {
            requireNew();
        } catch (RuntimeException e) {
            access.undo(ct);
            throw e;
        }
    }

    /** WRITEs the new root, then the link, by which all loaded nodes become reachable. */
    void link(long root, long leaf) {
        Sequence chain = ct.sequence();
        access.node.forward(root, leaf);
        access.node.writeForwardingIn(chain);
        access.executeAndRelease(chain, ct);
    }
}
