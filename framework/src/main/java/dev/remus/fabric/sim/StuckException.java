package dev.remus.fabric.sim;

/** A simulation in which nothing can happen any more, or that has taken more steps than it may: says who waits where. */
public class StuckException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, and what to do about it */
    public StuckException(String message) {
        super(message);
    }
}
