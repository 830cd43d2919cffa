// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * A thread was interrupted while it waited for a remote operation, or for another thread. The operation may still take
 * effect, until {@code ComputeThread.place} returns. The thread's interrupt status is set, so that its next wait ends
 * in the same way unless it clears that ({@link Thread#interrupted}).
 */
public final class InterruptedWaitException extends FabricException {
    private static final long serialVersionUID = 1L;

    /** @param message what the thread was doing */
    public InterruptedWaitException(String message) {
        super(message);
    }

    /** The same, with the exception that told of the interrupt. */
    public InterruptedWaitException(String message, InterruptedException cause) {
        super(message, cause);
    }
}
