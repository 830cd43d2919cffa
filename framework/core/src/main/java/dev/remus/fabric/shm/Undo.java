// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import java.io.IOException;

/** Cleans up after a failure, without hiding it. */
final class Undo {
    /** A step of cleaning up. */
    interface Step {
        void run() throws IOException;
    }

    private Undo() {}

    /**
     * Runs all steps, even if some fail.
     *
     * @param failure the failure that the caller throws; it gets the failures of steps as suppressed ones
     */
    static void after(Throwable failure, Step... steps) {
        for (Step step : steps) {
            try {
                step.run();
            } catch (IOException | RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
