// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

/** No segment that the allocation policy may use has room. The message names the policy, the size and each segment. */
public class OutOfRemoteMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message the failure and its remedy */
    public OutOfRemoteMemoryException(String message) {
        super(message);
    }
}
