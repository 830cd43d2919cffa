// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

/** A block was freed that is not allocated, or has another size. The message names the block and its true state. */
public class InvalidFreeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The raw pointer. */
    private final long pointer;

    /**
     * @param pointer the raw pointer to the block
     * @param message the failure and its remedy
     */
    public InvalidFreeException(long pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    /** The raw pointer to the freed block. */
    public long pointer() {
        return pointer;
    }
}
