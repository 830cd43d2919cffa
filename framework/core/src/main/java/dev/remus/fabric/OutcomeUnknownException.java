// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * A lane broke while an operation was in flight, and the Memory Node is still there. The operation has taken effect, or
 * it never will: nothing of it arrives later ({@link Lane#reconnect}). A caller that can tell from the memory which of
 * the two happened may go on, or try again.
 */
public final class OutcomeUnknownException extends FabricException {
    private static final long serialVersionUID = 1L;

    /** @param message which operation, and what is unknown */
    public OutcomeUnknownException(String message) {
        super(message);
    }
}
