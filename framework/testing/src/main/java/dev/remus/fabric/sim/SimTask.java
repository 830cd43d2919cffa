// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.fabric.Environment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A simulated thread. */
final class SimTask extends Agent implements Environment.Task {
    /** The state of a thread, and what keeps it from going on. */
    enum State {
        READY,
        ASLEEP,
        WAITING,
        FROZEN,
        STOPPED,
        ENDED
    }

    private final SimWorld world;
    private final SimSegment.Watcher watcher = new SimSegment.Watcher(this);
    private final Consumer<SimTask> joining;
    private final String name;
    private final boolean daemon;
    private @Nullable Coroutine coroutine;

    State state = State.READY;

    /** The number of signalled requests that it has posted and that have not completed. */
    int requests;

    /** Whether a completion wakes it before its alarm. */
    boolean expectsCompletion;

    /** If operations take time: the arrivals of its completions that have left the far end. */
    private final Arrivals arrivals = new Arrivals();

    /** If operations take time: when its wait for an arrival ends; the largest time if that is not known yet. */
    private long pauseEnds;

    /** The Compute Node that it belongs to, or null. */
    @Nullable
    SimNode home;

    /** The number under which faults may strike it; -1 if they may not. */
    int exposedAs = -1;

    /** How often it has waited since it was exposed. */
    int waits;

    /** In an enumeration: when its pause ends, unless something changes before. */
    long wakesAt;

    /** In an enumeration: how often something had changed when it paused last. */
    long changesAtPause = -1;

    boolean wakeNext;
    boolean interrupted;

    /** Whether a fault ends its wait with an exception. */
    boolean interruptsWait;

    /** The thread that waits for its end. */
    @Nullable
    SimTask joiner;

    /** @param joining lets the calling thread wait for the end of the given one */
    SimTask(SimWorld world, Consumer<SimTask> joining, String name, boolean daemon) {
        super(world.newAgent());
        this.world = world;
        this.joining = joining;
        this.name = name;
        this.daemon = daemon;
    }

    /** Sets the coroutine that runs it; to be called before it can go on. */
    void coroutine(Coroutine given) {
        coroutine = given;
    }

    Coroutine coroutine() {
        assert coroutine != null : "not launched";
        return coroutine;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    boolean isAsleep() {
        return state == State.ASLEEP || state == State.FROZEN;
    }

    @Override
    void wakesUp() {
        state = State.ASLEEP; // no longer frozen
    }

    @Override
    boolean becomesReady() {
        if (!canGoOn() || state == State.FROZEN) {
            return false;
        }
        state = State.READY;
        watcher.unwatch();
        return true;
    }

    @Override
    void becomesUnready() {
        watcher.unwatch();
    }

    @Override
    public boolean isExposed() {
        return exposedAs >= 0;
    }

    @Override
    public boolean isPartOf(Agent thread) {
        return thread == this;
    }

    boolean isDaemon() {
        return daemon;
    }

    /** The word that it has seen last. */
    SimSegment.Watcher watcher() {
        return watcher;
    }

    /** Waits for its alarm. */
    void sleepFor(long nanos) {
        state = State.ASLEEP;
        world.setAlarm(this, nanos);
    }

    /**
     * Handles the completion of one of its requests.
     *
     * @param arrival when it arrives, if operations take time; otherwise that is now
     */
    void completed(long arrival) {
        requests--;
        world.affected(this);
        boolean waits = state == State.WAITING || state == State.ASLEEP && expectsCompletion;
        if (world.isTimed()) {
            forgetArrived();
            arrivals.insert(arrival);
            if (waits && arrival < pauseEnds) {
                sleepUntil(arrival);
            }
        } else if (waits) {
            expectsCompletion = false;
            world.makeReady(this);
        }
    }

    /** If operations take time: whether a completion of its requests is still to arrive. */
    boolean awaitsArrival() {
        forgetArrived();
        return requests > 0 || arrivals.first() < Long.MAX_VALUE;
    }

    private void forgetArrived() {
        arrivals.remove(arrivals.count(world.now()));
    }

    /** Waits until the next of these arrivals, or for so long if that is sooner. */
    void sleepUntilArrival(long nanos) {
        expectsCompletion = true;
        long limit = nanos == Long.MAX_VALUE ? nanos : world.now() + nanos;
        sleepUntil(Math.min(limit, arrivals.first()));
    }

    private void sleepUntil(long end) {
        pauseEnds = end;
        if (end == Long.MAX_VALUE) {
            state = State.WAITING;
        } else {
            sleepFor(end - world.now());
        }
    }

    /** Whether it will ever go on. */
    boolean canGoOn() {
        return state != State.ENDED && state != State.STOPPED;
    }

    @Override
    public boolean isAlive() {
        return state != State.ENDED;
    }

    @Override
    public void join() throws InterruptedException {
        joining.accept(this);
    }

    @Override
    public void wake() {
        if (state == State.ASLEEP) {
            world.makeReady(this);
        } else {
            wakeNext = true;
        }
    }

    @Override
    public void interrupt() {
        interrupted = true;
        wake();
    }

    @Override
    public boolean isInterrupted() {
        return interrupted;
    }
}
