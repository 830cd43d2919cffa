// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.node.LockKind;
import java.util.Arrays;

/** A lock in a notice: {@code POINTER} for a ticket lock, {@code POINTER:KIND} for others. */
record NamedLock(long pointer, LockKind kind) {
    /** A kind that this version does not know counts as one that cannot be sampled. */
    static NamedLock of(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new NamedLock(Long.parseLong(text), LockKind.TICKET);
        }
        String name = text.substring(colon + 1);
        LockKind kind = Arrays.stream(LockKind.values())
                .filter(known -> known.toString().equals(name))
                .findFirst()
                .orElse(LockKind.LEADER);
        return new NamedLock(Long.parseLong(text.substring(0, colon)), kind);
    }
}
