package dev.remus.fabric.sim;

/** A simulation can do nothing more, or has taken more steps than it may. The message lists where each thread waits. */
public class StuckException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, and what to do about it */
    public StuckException(String message) {
        super(message);
    }
}
