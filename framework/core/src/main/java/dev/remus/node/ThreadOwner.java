// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a Compute Thread. Refuses calls by other threads, and every call while the Compute Thread is closed. One
 * that was closed in good order can get another owner.
 */
final class ThreadOwner {
    private final String name;

    /** Null while the Compute Thread is closed. Written by owners. Calls by other threads are refused anyway. */
    private @Nullable Thread thread = Thread.currentThread();

    /** That thread, once it has slept. */
    private Environment.@Nullable Task task;

    /** Set by an owner that has left, and cleared by the next one, which sees all that the former has done. */
    private final AtomicBoolean vacant = new AtomicBoolean();

    /**
     * Makes the calling thread the owner.
     *
     * @param name the Compute Thread's name, for messages
     */
    ThreadOwner(String name) {
        this.name = name;
    }

    /**
     * Checks that the owner calls, and has not closed its Compute Thread.
     *
     * @throws IllegalStateException if another thread calls, or the owner has closed it
     */
    void check() {
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException(
                    isClosed() ? name + " is closed" : name + " belongs to another thread, the one that opened it");
        }
    }

    boolean isClosed() {
        return thread == null;
    }

    /** The owner, for others that wake it. To be called by the owner. */
    Environment.Task task(Environment environment) {
        if (task == null) {
            task = environment.self();
        }
        return task;
    }

    /**
     * The owner leaves.
     *
     * @param isInOrder whether there may be another one
     */
    void close(boolean isInOrder) {
        thread = null;
        task = null;
        vacant.set(isInOrder);
    }

    /** Makes the calling thread the owner, if the last one has left in good order; returns whether it is now. */
    boolean tryTake() {
        if (!vacant.compareAndSet(true, false)) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    @Override
    public String toString() {
        return name;
    }
}
