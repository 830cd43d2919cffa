package dev.remus.fabric.sim;

import dev.remus.fabric.Environment;
import java.util.concurrent.locks.LockSupport;

/** A simulated thread: a real one that runs only while it is its turn. */
final class SimTask extends Agent implements Environment.Task {
    /** What keeps a thread from going on. */
    enum State {
        READY,
        ASLEEP,
        WAITING,
        STOPPED,
        ENDED
    }

    private final Simulator simulator;
    private final String name;
    private final boolean daemon;
    private volatile boolean turn;
    private volatile Thread thread;

    State state = State.READY;

    /** The virtual time at which it wakes up, and a number that tells this sleep from earlier ones. */
    long wakeTime;

    long sleepNumber;

    /** Signalled requests that it has posted and whose completions it has not been told of. */
    int requests;

    boolean wakeNext;
    boolean interrupted;

    /** Who waits for its end. */
    SimTask joiner;

    SimTask(Simulator simulator, int number, String name, boolean daemon) {
        super(number);
        this.simulator = simulator;
        this.name = name;
        this.daemon = daemon;
    }

    @Override
    public String name() {
        return name;
    }

    boolean isDaemon() {
        return daemon;
    }

    void startedBy(Thread newThread) {
        thread = newThread;
    }

    Thread thread() {
        return thread;
    }

    /** Lets it go on. */
    void giveTurn() {
        turn = true;
        LockSupport.unpark(thread);
    }

    /** Called by its own thread: waits until it may go on. */
    void awaitTurn() {
        while (!turn) {
            LockSupport.park(this);
        }
        turn = false;
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
}
