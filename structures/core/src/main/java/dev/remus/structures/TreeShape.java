// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

/**
 * How an ordered map is laid out, chosen when it is made. The {@linkplain #DEFAULT default} suits all programs; tests
 * choose small nodes, which are split often. Nodes of 2 or 3 entries are for few keys: one that was split may be left
 * with a single child, so that levels get no smaller. A put that would need more than 64 levels throws an {@link
 * IllegalStateException}.
 *
 * @param entries the number of entries in a node
 */
public record TreeShape(int entries) {
    private static final int LEAST_ENTRIES = 2;
    private static final int MOST_ENTRIES = 4096;
    private static final int NODE_BYTES = 1024;

    /** So that a tree of long keys stays flat. */
    private static final int LEAST_BY_DEFAULT = 16;

    /** Nodes of 1 KiB with keys of 8 bytes, which fit into a packet. */
    public static final TreeShape DEFAULT = forKeys(1);

    /** Rejects nodes that cannot be. */
    public TreeShape {
        if (entries < LEAST_ENTRIES || entries > MOST_ENTRIES) {
            throw new IllegalArgumentException(
                    "nodes of " + entries + " entries: needs " + LEAST_ENTRIES + " to " + MOST_ENTRIES);
        }
    }

    /** The default for keys of so many words: nodes of 1 KiB, or larger ones if that has no room for 16 entries. */
    static TreeShape forKeys(int words) {
        return new TreeShape(Math.max(LEAST_BY_DEFAULT, TreeNode.entries(NODE_BYTES, words)));
    }
}
