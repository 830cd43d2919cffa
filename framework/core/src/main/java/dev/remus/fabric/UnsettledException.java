// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * A lane broke while an operation was in flight, and cannot be connected now, although the Memory Node is there. The
 * operation may still take effect, at any time, until {@code ComputeThread.place} returns: by then it has taken effect,
 * or it never will.
 */
public final class UnsettledException extends FabricException {
    private static final long serialVersionUID = 1L;

    /** @param message which operation, and what may happen */
    public UnsettledException(String message) {
        super(message);
    }
}
