// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.node.ComputeThread;

/**
 * The pauses of an operation that tries again after other threads were faster. From the third one on they grow, up to
 * 64 µs: {@link ComputeThread#pause} alone would take the round trips of an attempt for other work, and pause as
 * shortly each time. So many threads that change one entry would keep each other from it.
 */
final class Retries {
    private static final int SHORT_PAUSES = 2;
    private static final long NANOS = 500;
    private static final int MOST_DOUBLINGS = 7;

    private int failures;

    /** An operation begins. */
    void begin() {
        failures = 0;
    }

    /** Pauses after an attempt that has failed. */
    void pause(ComputeThread ct) {
        failures++;
        if (failures <= SHORT_PAUSES) {
            ct.pause();
        } else {
            ct.pause(NANOS << Math.min(failures - SHORT_PAUSES, MOST_DOUBLINGS));
        }
    }
}
