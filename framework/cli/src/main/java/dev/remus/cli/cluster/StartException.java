// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.cluster;

/** Thrown if a run cannot be started. The message explains the remedy. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
