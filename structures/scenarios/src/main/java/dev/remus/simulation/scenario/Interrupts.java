// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.InterruptedWaitException;

/** Repeats actions that interrupts end. */
final class Interrupts {
    private Interrupts() {}

    /** Repeats an action until it is not interrupted. A schedule interrupts a thread a few times only. */
    static void untilDone(Runnable action) {
        boolean isDone = false;
        while (!isDone) {
            try {
                action.run();
                isDone = true;
            } catch (InterruptedWaitException e) {
                // once more
            }
        }
    }
}
