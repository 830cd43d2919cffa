// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Passes completions on for threads that sleep until an armed id is complete ({@link AsyncOperations#awaitArmed}). It
 * is a thread of the Compute Node that polls the lanes in their place, as a kernel does for a socket, so that ten
 * completions cause one wake-up instead of ten. Started when first needed. While a thread sleeps, it polls, on every
 * fabric, and backs off while no completion comes. It does not wait for events of the fabric.
 */
final class CompletionWatch {
    private static final long IDLE_NANOS = 1_000_000_000;

    private final Environment environment;
    private final String name;
    private final SharedLane[][] lanes;
    private final AtomicInteger sleepers = new AtomicInteger();
    private Environment.@Nullable Task task;
    private volatile boolean closing;

    CompletionWatch(Environment environment, String name, SharedLane[][] lanes) {
        this.environment = environment;
        this.name = name;
        this.lanes = lanes;
    }

    /** A thread is about to sleep. */
    synchronized void begin() {
        sleepers.incrementAndGet();
        try {
            if (task == null && !closing) {
                task = environment.start(name, true, this::run);
            } else if (task != null) {
                task.wake();
            }
        } catch (RuntimeException | Error e) { // the thread cannot be started
            sleepers.decrementAndGet();
            throw e;
        }
    }

    /** The number of sleeping threads. */
    int sleepers() {
        return sleepers.get();
    }

    /** A thread does not sleep any more. */
    void end() {
        sleepers.decrementAndGet();
    }

    private void run() {
        Backoff backoff = new Backoff(environment);
        while (!closing) {
            if (sleepers.get() == 0) {
                backoff.reset();
                environment.sleep(IDLE_NANOS);
            } else if (poll() > 0) {
                backoff.reset();
            } else {
                backoff.pause();
            }
        }
    }

    private int poll() {
        int found = 0;
        for (SharedLane[] toOneNode : lanes) {
            for (SharedLane lane : toOneNode) {
                try {
                    found += lane.poll();
                } catch (FabricException e) {
                    // The lane is broken, which the waiters for its operations detect themselves.
                }
            }
        }
        return found;
    }

    /** Ends the watch. Threads that still sleep find the node closed. */
    void close() {
        Environment.Task running;
        synchronized (this) {
            closing = true;
            running = task;
        }
        if (running != null) {
            running.wake();
            if (Tasks.join(running)) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
