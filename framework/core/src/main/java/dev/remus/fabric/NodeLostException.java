package dev.remus.fabric;

/**
 * A node that this one depends on has ended without saying goodbye, or could not be reached in time. Operations that
 * were outstanding towards it have an unknown outcome.
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
     * @param message names the node and how the loss was noticed
     */
    public NodeLostException(int node, String message) {
        this(node, LossKind.ENDED, message);
    }

    /**
     * A node was lost.
     *
     * @param node the lost node's id
     * @param kind how it was lost
     * @param message names the node and how the loss was noticed
     */
    public NodeLostException(int node, LossKind kind, String message) {
        super(message);
        this.node = node;
        this.kind = kind;
    }

    /**
     * For another thread that meets a loss which is known already.
     *
     * @param first what was thrown when the node was lost; becomes the cause
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

    /** How it was lost. */
    public LossKind kind() {
        return kind;
    }
}
