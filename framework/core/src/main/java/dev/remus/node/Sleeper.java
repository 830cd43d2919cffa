// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.InterruptedWaitException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread sleep until completions wake it.
 *
 * <p>No wake-up is lost: the thread calls {@link #begin}, then {@link #lookAgain}, then polls, and then sleeps. A
 * thread that passes a completion on first records it and then calls {@link #wake}. A wake-up in between ends the next
 * sleep.
 */
final class Sleeper {
    private final ThreadOwner owner;
    private final Environment environment;
    private final ThreadMetrics metrics;

    /** The thread, once it has slept. */
    private volatile Environment.@Nullable Task self;

    private volatile boolean woken;

    /** Whether the end of any operation wakes the thread. */
    private volatile boolean awaitsAny;

    Sleeper(ThreadOwner owner, Environment environment, ThreadMetrics metrics) {
        this.owner = owner;
        this.environment = environment;
        this.metrics = metrics;
    }

    /**
     * Announces that the thread is about to sleep.
     *
     * @param any whether the end of any operation wakes it
     */
    void begin(boolean any) {
        Environment.Task now = owner.task(environment);
        if (self != now) {
            self = now;
        }
        awaitsAny = any;
    }

    /** Announces that the thread does not sleep any more. */
    void end() {
        awaitsAny = false;
    }

    /** To be called before the thread polls: a later wake-up ends its next sleep. */
    void lookAgain() {
        woken = false;
    }

    /**
     * Sleeps for so long, or until a wake-up.
     *
     * @throws FabricException if the thread is interrupted
     */
    void sleep(long nanos) {
        environment.sleep(nanos);
        Environment.Task me = self;
        if (woken) {
            metrics.wakeUps++;
        } else if (me != null && me.isInterrupted()) {
            throw new InterruptedWaitException("interrupted while waiting");
        }
    }

    /** One of the thread's operations has ended. Called by any thread. */
    void ended() {
        if (awaitsAny) {
            wake();
        }
    }

    /** The awaited event may have happened. Called by any thread. */
    void wake() {
        woken = true;
        Environment.Task sleeping = self;
        if (sleeping != null) {
            sleeping.wake();
        }
    }
}
