package dev.remus.memory;

/** A block was given back that is not allocated, or not with that size. Names the block and what it really is. */
public class InvalidFreeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, and what to do about it */
    public InvalidFreeException(String message) {
        super(message);
    }
}
