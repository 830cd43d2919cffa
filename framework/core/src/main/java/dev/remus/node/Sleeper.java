package dev.remus.node;

import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread sleep until completions wake it.
 *
 * <p>No wake-up is lost: the thread calls {@link #begin}, then {@link #lookAgain}, looks, and then sleeps; whichever
 * thread passes a completion on first notes it and then calls {@link #wake}. A wake-up in between ends the next sleep.
 */
final class Sleeper {
    private final Environment environment;
    private final ThreadMetrics metrics;

    /** The thread, once it has slept. */
    private volatile Environment.@Nullable Task self;

    private volatile boolean woken;

    /** Whether the thread sleeps until any operation ends. */
    private volatile boolean awaitsAny;

    Sleeper(Environment environment, ThreadMetrics metrics) {
        this.environment = environment;
        this.metrics = metrics;
    }

    /**
     * The thread is about to sleep.
     *
     * @param any whether the end of any operation is to wake it
     */
    void begin(boolean any) {
        if (self == null) {
            self = environment.self();
        }
        awaitsAny = any;
    }

    /** The thread sleeps no more. */
    void end() {
        awaitsAny = false;
    }

    /** The thread looks at what it waits for: a wake-up from now on ends its next sleep. */
    void lookAgain() {
        woken = false;
    }

    /**
     * Sleeps for so long, or until it is woken.
     *
     * @throws FabricException if the thread is interrupted
     */
    void sleep(long nanos) {
        environment.sleep(nanos);
        Environment.Task me = self;
        if (woken) {
            metrics.wakeUps++;
        } else if (me != null && me.isInterrupted()) {
            throw new FabricException("interrupted while waiting");
        }
    }

    /** One of the thread's operations has ended. Called by any thread. */
    void ended() {
        if (awaitsAny) {
            wake();
        }
    }

    /** What the thread sleeps for may have happened. Called by any thread. */
    void wake() {
        woken = true;
        Environment.Task sleeping = self;
        if (sleeping != null) {
            sleeping.wake();
        }
    }
}
