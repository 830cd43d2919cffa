// SPDX-License-Identifier: Apache-2.0
package dev.remus.memory;

import dev.remus.fabric.Operation;

/** A check of each access that a thread makes to blocks, after the check of its pointer and before the access. */
@FunctionalInterface
public interface AccessCheck {
    /**
     * Throws if the thread must not make this access.
     *
     * @param pointer a pointer that is valid for {@code length} bytes, a positive multiple of 8
     */
    void check(Operation operation, long pointer, int length);
}
