package dev.remus.fabric;

import org.jspecify.annotations.Nullable;

/** Something that the fabric could not do: the message names the node, lane, segment or file, and the reason. */
public class FabricException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, and what to do about it */
    public FabricException(String message) {
        super(message);
    }

    /**
     * @param message what happened, and what to do about it
     * @param cause what made it happen; null if nothing else was thrown
     */
    public FabricException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
