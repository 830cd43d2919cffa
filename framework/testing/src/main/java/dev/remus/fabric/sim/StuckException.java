// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

/**
 * Thrown if no agent of a simulation can go on, or at its limit of steps. The message lists where each thread waits.
 */
public class StuckException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, and what to do about it */
    public StuckException(String message) {
        super(message);
    }
}
