package dev.remus.node;

import dev.remus.fabric.Environment;

/** Waits for tasks that end soon, also in a thread that is interrupted. */
final class Tasks {
    private Tasks() {}

    /**
     * Returns when a task has ended. The caller goes on without being interrupted, and restores that at its end.
     *
     * @return whether the calling thread was interrupted
     */
    static boolean join(Environment.Task task) {
        boolean interrupted = Thread.interrupted(); // join does not look where the task has ended already
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
