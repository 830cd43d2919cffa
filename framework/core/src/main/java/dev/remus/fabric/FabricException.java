// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import org.jspecify.annotations.Nullable;

/** The fabric failed. The message names the node, lane, segment or file, and the reason. */
public class FabricException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message the failure and its remedy */
    public FabricException(String message) {
        super(message);
    }

    /**
     * @param message the failure and its remedy
     * @param cause the exception that led to it, or null
     */
    public FabricException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
