package dev.remus.fabric;

/**
 * A chain did not fit into the room that a lane has left: more requests would be outstanding than its {@link
 * Lane#depth() depth}. Nothing of the chain was posted; poll for completions and post it again.
 */
public class LaneFullException extends FabricException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, and what to do about it */
    public LaneFullException(String message) {
        super(message);
    }
}
