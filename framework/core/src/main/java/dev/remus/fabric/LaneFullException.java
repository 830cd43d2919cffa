// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

/**
 * A lane has no room for a chain: more requests would be outstanding than its {@link Lane#depth() depth}. Nothing of
 * the chain was posted. Poll for completions and post it again.
 */
public class LaneFullException extends FabricException {
    private static final long serialVersionUID = 1L;

    /** @param message the failure and its remedy */
    public LaneFullException(String message) {
        super(message);
    }
}
