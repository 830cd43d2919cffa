// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.config.ThreadKind;
import dev.remus.fabric.BlockingOperations;
import dev.remus.fabric.Environment;
import org.jspecify.annotations.Nullable;

/**
 * The back-off of a thread's own loops: pauses grow while a loop waits, and are short again once the thread has done
 * other work. Whether it has is a matter of round trips, or, while it waits for a lock, of what it waits for. A loss
 * that ends the run ends the loop.
 */
final class ThreadBackoff {
    /** A waiter reads a word, and perhaps tries to change it, between two pauses. */
    private static final int ROUND_TRIPS_OF_A_WAIT = 2;

    /** A power of two. So many operations take a few microseconds on shared memory. */
    private static final int OPERATIONS_PER_LOOK = 1024;

    private final BlockingOperations memory;
    private final Membership membership;
    private final ThreadMetrics metrics;
    private final HeldLocks locks;
    private final Backoff backoff;
    private final Environment environment;

    /** Whether the thread is virtual, and so shares its processor. */
    private final boolean yields;

    private int operations;
    private long roundTripsAtLastPause;

    /** For waits with a limit; null before the first. */
    private @Nullable Backoff limited;

    private long deadline;

    /** The number of the wait for a lock in which the last pause was, 0 if it was in none. */
    private long waitAtLastPause;

    ThreadBackoff(
            ClusterConfig config,
            BlockingOperations memory,
            Membership membership,
            ThreadMetrics metrics,
            HeldLocks locks,
            Environment environment) {
        this.yields = config.threadKind() == ThreadKind.VIRTUAL;
        this.memory = memory;
        this.membership = membership;
        this.metrics = metrics;
        this.locks = locks;
        this.environment = environment;
        this.backoff = new Backoff(environment);
    }

    /**
     * To be called with each READ or atomic, which may be one of a loop that polls and makes no pause. Where operations
     * end without a wait, as on shared memory, such a loop of a virtual thread would keep the processor from the
     * threads that it waits for. So once in {@link #OPERATIONS_PER_LOOK} operations it checks whether it is their turn.
     */
    void takeTurn() {
        if (yields && (++operations & OPERATIONS_PER_LOOK - 1) == 0) {
            backoff.yieldIfDue();
        }
    }

    /** Ends a loop if a loss ends the run, and repeats lost releases: what this thread waits for may wait for them. */
    void check() {
        membership.check();
        memory.repeatLostReleases();
    }

    /** Implements {@link ComputeThread#pause}. */
    void pause() {
        check();
        long roundTrips = metrics.roundTrips();
        long wait = locks.currentWait();
        boolean hasWorked = roundTrips - roundTripsAtLastPause > ROUND_TRIPS_OF_A_WAIT;
        if (wait != waitAtLastPause || wait == 0 && hasWorked) {
            backoff.reset();
        }
        roundTripsAtLastPause = roundTrips;
        waitAtLastPause = wait;
        backoff.pause();
    }

    /** Implements {@link ComputeThread#pause(long)}. */
    void pause(long nanos) {
        beginWait(nanos);
        do {
            check();
        } while (limited().pauseUntil(deadline));
    }

    /** Implements {@link ComputeThread#pauseFor}. */
    void pauseFor(int thread) {
        membership.check(thread);
        pause();
    }

    /** Implements {@link ComputeThread#pauseForHolder}. */
    void pauseForHolder(int thread) {
        if (membership.isCutOffOverdue(thread)) {
            membership.check(thread);
        }
        pause();
    }

    private Backoff limited() {
        Backoff own = limited;
        if (own == null) {
            own = new Backoff(environment);
            limited = own;
        }
        return own;
    }

    /** Begins a wait that ends after so long at the latest. */
    void beginWait(long nanos) {
        limited().reset();
        deadline = environment.nanoTime() + nanos;
    }

    /** Pauses within this wait, longer each time. If the wait is over, returns false without a pause. */
    boolean pauseInWait() {
        check();
        return limited().pauseUntil(deadline);
    }
}
