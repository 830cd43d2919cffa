// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * A node that this one depends on has ended, but not in good order, or could not be reached in time. The outcome of
 * operations that were outstanding to it is unknown.
 */
public class NodeLostException extends FabricException {
    private static final long serialVersionUID = 1L;

    /** The lost node's id. */
    private final int node;

    /** How it was lost. */
    private final LossKind kind;

    /**
     * The process of a node has ended.
     *
     * @param node the lost node's id
     * @param message names the node and how the loss was detected
     */
    public NodeLostException(int node, String message) {
        this(node, LossKind.ENDED, message);
    }

    /**
     * A node was lost.
     *
     * @param node the lost node's id
     * @param kind how it was lost
     * @param message names the node and how the loss was detected
     */
    public NodeLostException(int node, LossKind kind, String message) {
        super(message);
        this.node = node;
        this.kind = kind;
    }

    /**
     * For another thread that is affected by a known loss.
     *
     * @param first the exception that was thrown when the node was lost; becomes the cause
     */
    public NodeLostException(NodeLostException first) {
        super(String.valueOf(first.getMessage()), first);
        this.node = first.node;
        this.kind = first.kind;
    }

    /** The id of the lost node. */
    public int node() {
        return node;
    }

    /** How the node was lost. */
    public LossKind kind() {
        return kind;
    }
}
