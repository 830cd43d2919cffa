// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

/**
 * A WRITE was refused, because its target includes a word on which an atomic operation was executed before. The
 * atomics of an RDMA device are atomic with respect to each other, and not to WRITEs. Nothing was written.
 */
public class MixedAccessException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** The raw pointer. */
    private final long pointer;

    /**
     * @param pointer the raw pointer to the word
     * @param message names the word, and what to do instead
     */
    public MixedAccessException(long pointer, String message) {
        super(message);
        this.pointer = pointer;
    }

    /** The raw pointer to the word. */
    public long pointer() {
        return pointer;
    }
}
