package dev.remus.memory;

/** A remote pointer that cannot be used as it was: the message names the pointer and says why. Nothing was accessed. */
public class InvalidPointerException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The raw pointer. */
    private final long pointer;

    /**
     * @param pointer the raw pointer
     * @param message names the pointer, and says why it cannot be used
     */
    public InvalidPointerException(long pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    /** The raw pointer. */
    public long pointer() {
        return pointer;
    }
}
