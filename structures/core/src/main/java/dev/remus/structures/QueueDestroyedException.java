// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

/** The queue was destroyed while this thread was waiting on it. */
public final class QueueDestroyedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    QueueDestroyedException(String message) {
        super(message);
    }
}
