// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

/** A remote pointer was invalid. The message names the pointer and the reason. Nothing was accessed. */
public class InvalidPointerException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The raw pointer. */
    private final long pointer;

    /**
     * @param pointer the raw pointer
     * @param message names the pointer and the reason
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
