// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.tools.queue.QueueKind;

/** Estimates the round trips of a point, so that the time left is meaningful. */
final class QueueWork {
    private QueueWork() {}

    /** The round trips of all processes together, from those per operation in TRUST.md, between which it is linear. */
    static long of(QueueKind queue, int processes, long operations) {
        double each = switch (queue) {
            case BD -> 29 + 3.4 * processes;
            case BC -> 20 + 1.8 * processes;
            case ND -> 4 + 1.1 * processes;
            default -> 12 + 1.1 * processes;
        };
        return Math.round(each * processes * operations);
    }
}
