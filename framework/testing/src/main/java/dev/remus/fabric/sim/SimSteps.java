// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import org.jspecify.annotations.Nullable;

/** The steps of a simulation, and its end: applies faults and advances lanes until the scheduler picks a thread. */
final class SimSteps {
    private static final long STEP_NANOS = 100;

    /** The same after a node is lost or a lane has broken, because the others take tenths of seconds to react. */
    private static final long STEP_NANOS_AFTER_LOSS = 10_000;

    private static final long DEFAULT_STEPS = 20_000_000;

    /**
     * After a fault, a run is over when nothing has changed for this long: longer than any thread waits before it gives
     * up.
     */
    private static final long QUIET_NANOS = 500_000_000;

    private final SimWorld world;
    private final SimThreads threads;
    private Faults faults;
    private long taken;
    private long max = DEFAULT_STEPS;
    private long quietNanos = QUIET_NANOS;

    /** Whether a thread has ended the simulation early. */
    private boolean finished;

    private @Nullable Throwable failure;

    SimSteps(SimWorld world, SimThreads threads, Faults faults) {
        this.world = world;
        this.threads = threads;
        this.faults = faults;
    }

    void faults(Faults given) {
        faults = given;
    }

    /** Ends the simulation with a {@link StuckException} after this many steps. */
    void max(long most) {
        max = most;
    }

    /** Sets after how much time without a change a run is over once a fault has happened. */
    void quietAfter(long nanos) {
        quietNanos = nanos;
    }

    long quietNanos() {
        return quietNanos;
    }

    /** How many steps have been taken. */
    long taken() {
        return taken;
    }

    /** Ends the simulation before the next step. */
    void finish() {
        finished = true;
    }

    /** Ends the simulation before the next step, with an exception unless an earlier failure has one. */
    synchronized void fail(Throwable e) {
        if (failure == null && !(e instanceof SimulationEnded)) {
            failure = e;
        }
    }

    /** Throws the exception that has ended the simulation, if there is one. */
    void throwFailure() {
        if (failure instanceof RuntimeException e) {
            throw e;
        } else if (failure instanceof Error e) {
            throw e;
        }
    }

    /**
     * Advances lanes until a thread is picked; returns null if the simulation is over.
     *
     * @param current the thread that has had the turn
     */
    @Nullable
    SimTask next(@Nullable SimTask current) {
        while (true) {
            if (isOver()) {
                return null;
            }
            if (faults.isDue(taken)) {
                faults.strike(taken);
            }
            if (world.isIdle() && !world.wakeParked() && !world.wakeSleepers()) {
                if (faults.mayLeaveOthersWaiting()) {
                    return null;
                }
                fail(new StuckException("nothing can happen any more: " + threads.describe(current)));
                return null;
            }
            if (++taken > max) {
                if (!threads.stopped().isEmpty() || faults.isSomethingLost()) {
                    return null;
                }
                fail(new StuckException("no end after " + max + " steps: " + threads.describe(current)));
                return null;
            }
            if (!world.isTimed()) {
                world.pass(faults.isSomethingLost() ? STEP_NANOS_AFTER_LOSS : STEP_NANOS);
            }
            world.wakeThoseDue();
            Agent next = world.pick(taken);
            if (next instanceof SimTask task) {
                world.makeUnready(task);
                world.endPause(task, task.wakesAt);
                return task;
            }
            ((Stepper) next).advance();
        }
    }

    private boolean isOver() {
        return failure != null
                || finished
                || threads.haveFinished()
                || world.quietFor() > quietNanos && faults.mayLeaveOthersWaiting();
    }
}
