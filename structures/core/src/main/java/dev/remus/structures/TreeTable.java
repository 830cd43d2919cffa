// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Drawing;
import dev.remus.record.DrawnRecord;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/**
 * A view of what all handles of a {@link LongLongTree} or a {@link RemoteTreeMap} share.
 *
 * <pre>
 *   This (one block)                                            changed by
 *  +---------------------------------------------------------+
 *  | kind | words of a key | entries of a node | first leaf  |  no thread
 *  +---------------------------------------------------------+
 *  | root: its pointer, and its level in 6 bits              |  COMPARE_AND_SWAP, each time to one on a higher level
 *  +---------------------------------------------------------+
 *  | number of nodes that were retired                       |  FETCH_AND_ADD, before each of them is
 *  +---------------------------------------------------------+
 *  | stamp                                                   |  no thread
 *  +---------------------------------------------------------+
 * </pre>
 */
public final class TreeTable extends RemoteRecord implements DrawnRecord {
    private static final long KIND = 0x6565_7274_6b6e_696cL; // "linktree"
    private static final long LEVEL = 63;

    private final RemoteLong kind = longField();
    private final RemoteLong keyWords = immutable(longField());
    private final RemoteLong entries = immutable(longField());
    private final RemoteLong firstLeaf = immutable(longField());
    final RemoteLong root = atomic(longField());
    final RemoteLong retired = atomic(longField());
    private final RemoteLong stamp = immutable(longField());

    private int words;
    private int nodeEntries;

    private TreeTable() {}

    /** Draws the nodes as a tree. */
    @Override
    public void draw(Drawing drawing) {
        drawing.link(root, TreeTable::node, word -> DrawnTree.node(level(word), words, nodeEntries))
                .text(root, word -> "level " + level(word));
    }

    /** Makes a table with one leaf, which is empty. Keys have so many words. */
    static RdmaPtr<TreeTable> create(int words, TreeShape shape, ComputeThread ct) {
        TreeNode leaf = new TreeNode(words, shape.entries(), ct);
        leaf.stageLast(0, TreeKey.lowest(words));
        long first = ct.allocate(leaf.bytes());
        leaf.write(first, ct);
        TreeTable table = new TreeTable();
        table.allocate(ct);
        table.words = words;
        table.nodeEntries = shape.entries();
        table.kind.stage(KIND, ct);
        table.keyWords.stage(words, ct);
        table.entries.stage(shape.entries(), ct);
        table.firstLeaf.stage(first, ct);
        table.root.stage(root(first, 0), ct);
        table.retired.stage(0, ct);
        table.stamp.stage(ct.random().nextLong(), ct);
        table.storeStaged(ct);
        return new RdmaPtr<>(table.pointer());
    }

    /**
     * A view of a table that {@link #create} made, fetched.
     *
     * @throws IllegalArgumentException if there is none
     */
    static TreeTable open(RdmaPtr<TreeTable> pointer, ComputeThread ct) {
        TreeTable table = new TreeTable();
        table.at(pointer);
        table.fetch(ct);
        if (table.kind.fetched() != KIND) {
            throw new IllegalArgumentException("there is no ordered map at (" + RdmaPtr.toString(pointer.raw()) + ")");
        }
        table.words = (int) table.keyWords.fetched();
        table.nodeEntries = (int) table.entries.fetched();
        return table;
    }

    /**
     * The word of a root at a level.
     *
     * @throws IllegalStateException if the word has no room for the level
     */
    static long root(long node, int level) {
        if (level > LEVEL) {
            throw new IllegalStateException("an ordered map with more than " + (LEVEL + 1)
                    + " levels: its nodes have too few entries for so many keys");
        }
        return node | level;
    }

    /** The root's pointer: nodes are 64-byte aligned. */
    static long node(long root) {
        return root & ~LEVEL;
    }

    /** The root's level, 0 if it is a leaf. */
    static int level(long root) {
        return (int) (root & LEVEL);
    }

    /** The number of words of a key. */
    int words() {
        return words;
    }

    /** The number of entries of a node. */
    int entries() {
        return nodeEntries;
    }

    /** The leaf with which the map began. A bulk load has put it aside, or it is the leftmost one. */
    long firstLeaf() {
        return firstLeaf.fetched();
    }

    /** A random number, which tells this map from others that have had the same memory. */
    long stamp() {
        return stamp.fetched();
    }

    /** Changes the root, unless another thread has done so; returns the present one. */
    long adopt(long before, long grown, ComputeThread ct) {
        long seen = root.compareAndExchange(before, grown, ct);
        return seen == before ? grown : seen;
    }

    /** Gives the table itself back. */
    void destroy(ComputeThread ct) {
        kind.store(0, ct);
        free(ct);
    }
}
