package dev.remus.memory;

/** A block was given back that is not allocated, or not with that size. Names the block and what it really is. */
public class InvalidFreeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The raw pointer. */
    private final long pointer;

    /**
     * @param pointer the raw pointer to the block
     * @param message what happened, and what to do about it
     */
    public InvalidFreeException(long pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    /** The raw pointer to the block that was given back. */
    public long pointer() {
        return pointer;
    }
}
