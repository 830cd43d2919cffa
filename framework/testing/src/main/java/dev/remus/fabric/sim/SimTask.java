package dev.remus.fabric.sim;

import dev.remus.fabric.Environment;
import org.jspecify.annotations.Nullable;

/** A simulated thread. */
final class SimTask extends Agent implements Environment.Task {
    /** What keeps a thread from going on. */
    enum State {
        READY,
        ASLEEP,
        WAITING,
        FROZEN,
        STOPPED,
        ENDED
    }

    private final Simulator simulator;
    private final String name;
    private final boolean daemon;
    private @Nullable Coroutine coroutine;

    State state = State.READY;

    /** Signalled requests that it has posted and whose completions it has not been told of. */
    int requests;

    /** Whether it sleeps until a completion arrives, if that is earlier than its alarm. */
    boolean expectsCompletion;

    /** The Compute Node that it belongs to, or null. */
    @Nullable
    SimComputeEndpoint home;

    /** The word that it has seen last, and its value then. */
    private @Nullable SimSegment seen;

    private long seenOffset;
    private long seenValue;

    /** While it pauses: where it is told that the word which it has seen last changes, and its neighbours there. */
    @Nullable
    SimSegment watched;

    @Nullable
    SimTask nextWatcher;

    @Nullable
    SimTask previousWatcher;

    /** The number under which faults may strike it; -1 if they may not. */
    int exposedAs = -1;

    /** How often it has waited since it was exposed. */
    int waits;

    boolean wakeNext;
    boolean interrupted;

    /** Who waits for its end. */
    @Nullable
    SimTask joiner;

    SimTask(Simulator simulator, int number, String name, boolean daemon) {
        super(number);
        this.simulator = simulator;
        this.name = name;
        this.daemon = daemon;
    }

    /** What runs it; to be given before it can go on. */
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

    /** It has read or changed a word, which has this value now. */
    void saw(SimSegment segment, long offset, long value) {
        seen = segment;
        seenOffset = offset;
        seenValue = value;
    }

    /** Whether what it has seen last is no longer so. */
    boolean hasMissedSomething() {
        return seen != null && seen.get(seenOffset) != seenValue;
    }

    /** It does not wait for a word, until it has seen another. */
    void lookAway() {
        seen = null;
    }

    void watch() {
        if (seen != null) {
            seen.watch(this, seenOffset);
        }
    }

    void unwatch() {
        if (watched != null) {
            watched.unwatch(this, seenOffset);
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
        simulator.join(this);
    }

    @Override
    public void wake() {
        simulator.wake(this);
    }

    @Override
    public void interrupt() {
        interrupted = true;
        simulator.wake(this);
    }

    @Override
    public boolean isInterrupted() {
        return interrupted;
    }
}
