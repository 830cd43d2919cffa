// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.testbed;

import org.jspecify.annotations.Nullable;

/** Thrown if the result of a run is wrong, or the run does not end. The message explains what is wrong. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes an exception. */
    public RunFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
