// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterConfig;

/**
 * The loss word in a segment's header, by which a node that detects a loss informs all others. The lower 32 bits are 1
 * + the id of the lost node, the upper ones how it was lost.
 */
public final class LossWord {
    private static final LossKind[] KINDS = LossKind.values();

    private LossWord() {}

    /** The word for a node that was lost. It is never 0. */
    public static long of(int node, LossKind kind) {
        return (long) kind.ordinal() << Integer.SIZE | node + 1L;
    }

    /** Whether a word other than 0 names a node of the cluster. */
    public static boolean isValid(long word, ClusterConfig config) {
        int node = node(word);
        return word >>> Integer.SIZE < KINDS.length && (config.isMemoryNode(node) || config.isComputeNode(node));
    }

    /** The id of the node that was lost. */
    public static int node(long word) {
        return (int) word - 1;
    }

    /** How the node was lost. */
    public static LossKind kind(long word) {
        return KINDS[(int) (word >>> Integer.SIZE) & KINDS.length - 1]; // there are four
    }

    /** The message about a word that names no node. */
    public static String describeDamaged(int memoryNode, long word) {
        return "the header of Memory Node " + memoryNode + " is damaged: its loss word is " + word
                + ", which names no node";
    }
}
