// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;

/** Waits for tasks that end soon, even in an interrupted thread. */
final class Tasks {
    private Tasks() {}

    /**
     * Waits until a task has ended. The caller runs uninterrupted afterwards, and restores the interrupt at its end.
     *
     * @return whether the calling thread was interrupted
     */
    static boolean join(Environment.Task task) {
        boolean interrupted = Thread.interrupted(); // join ignores an interrupt if the task has ended already
        while (task.isAlive()) {
            try {
                task.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }
}
