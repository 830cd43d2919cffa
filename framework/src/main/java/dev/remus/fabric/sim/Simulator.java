package dev.remus.fabric.sim;

import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * One simulated world: threads of which one runs at a time, lanes that execute requests, and a clock that only moves when
 * something happens.
 *
 * <p>A thread keeps its turn until it waits ({@link #pause}, {@link #sleep}, {@link Task#join}) or reads the clock. Then
 * the scheduler picks who goes on: lanes are advanced right here, another thread is given the turn. A thread that waits
 * for completions can go on when one has arrived; one that pauses for any other reason, when some virtual time has gone
 * by.
 *
 * <p>Threads that the simulator has not started may use the fabric too (a test that wants to look at a lane): they execute
 * requests themselves while they poll. Such use is not deterministic if there are several of them.
 */
public final class Simulator implements Environment {
    private static final long STEP_NANOS = 100;
    private static final long PAUSE_NANOS = 500;
    private static final int LONGEST_PAUSE_LOG2 = 10;
    private static final long DEFAULT_STEPS = 20_000_000;

    private record Sleep(SimTask task, long until, long number) {}

    private final Scheduler scheduler;
    private final Set<Weakness> weaknesses;
    private final SplittableRandom seeds;
    private final List<Agent> ready = new ArrayList<>();
    private final List<SimTask> tasks = new ArrayList<>();
    private final PriorityQueue<Sleep> sleeps = new PriorityQueue<>(Comparator.comparingLong(Sleep::until)
            .thenComparingLong(s -> s.task().number()));
    private final CountDownLatch over = new CountDownLatch(1);
    private final ThreadLocal<SimTask> current = new ThreadLocal<>();

    private Agent running;
    private int agents;
    private int unfinished;
    private long now;
    private long steps;
    private long maxSteps = DEFAULT_STEPS;
    private long traceHash = 17;
    private StringBuilder trace;
    private volatile boolean ended;
    private Throwable failure;

    /**
     * @param seed decides what random numbers nodes and threads get; the schedule is the scheduler's
     * @param weaknesses what memory may do
     */
    public Simulator(long seed, Scheduler scheduler, Set<Weakness> weaknesses) {
        this.seeds = new SplittableRandom(seed);
        this.scheduler = scheduler;
        this.weaknesses = weaknesses.isEmpty() ? EnumSet.noneOf(Weakness.class) : EnumSet.copyOf(weaknesses);
    }

    /** Ends the simulation with a {@link StuckException} after so many steps. */
    public Simulator maxSteps(long most) {
        maxSteps = most;
        return this;
    }

    /** Keeps a line for each step, for {@link #trace}. */
    public Simulator traced() {
        trace = new StringBuilder();
        return this;
    }

    /** What has happened, one step a line; empty unless {@link #traced}. */
    public String trace() {
        return trace == null ? "" : trace.toString();
    }

    /** A number that is the same for the same trace. */
    public long traceHash() {
        return traceHash;
    }

    /** How many steps have been taken. */
    public long steps() {
        return steps;
    }

    /**
     * Runs something as the first simulated thread, until all threads that are not daemons have ended or are stopped.
     * To be called once.
     *
     * @throws StuckException if nothing can happen any more, or there have been too many steps
     */
    public void run(Runnable body) {
        SimTask first = newTask("main", false);
        launch(first, () -> {
            try {
                body.run();
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        });
        first.giveTurn();
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(new FabricException("interrupted while simulating", e));
        } finally {
            endAll();
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        } else if (failure instanceof Error e) {
            throw e;
        }
    }

    private synchronized void fail(Throwable e) {
        if (failure == null && !(e instanceof SimulationEnded)) {
            failure = e;
        }
    }

    // ------------------------------------------------------------------------------------------------ threads

    private SimTask newTask(String name, boolean daemon) {
        SimTask task = new SimTask(this, agents++, name, daemon);
        tasks.add(task);
        unfinished += daemon ? 0 : 1;
        return task;
    }

    @Override
    public Task start(String name, boolean daemon, Runnable body) {
        SimTask task = newTask(name, daemon);
        launch(task, body);
        makeReady(task);
        return task;
    }

    private void launch(SimTask task, Runnable body) {
        Thread thread = SimThreads.newThread(task.name(), () -> {
            current.set(task);
            task.awaitTurn();
            try {
                if (!ended) {
                    body.run();
                }
            } catch (SimulationEnded e) {
                // as it should
            } finally {
                leave(task);
            }
        });
        task.startedBy(thread);
        thread.start();
    }

    /** A thread has ended: its turn passes on. */
    private void leave(SimTask task) {
        if (ended) {
            task.state = SimTask.State.ENDED;
            return;
        }
        task.state = SimTask.State.ENDED;
        unfinished -= task.isDaemon() ? 0 : 1;
        if (task.joiner != null) {
            makeReady(task.joiner);
        }
        passOn(task);
    }

    void join(SimTask task) {
        SimTask self = self();
        while (task.isAlive() && task.state != SimTask.State.STOPPED) {
            if (task.joiner != null && task.joiner != self) {
                throw new IllegalStateException("two threads wait for the end of " + task.name());
            }
            task.joiner = self;
            self.state = SimTask.State.WAITING;
            passOn(self);
        }
    }

    void wake(SimTask task) {
        if (task.state == SimTask.State.ASLEEP) {
            makeReady(task);
        } else {
            task.wakeNext = true;
        }
    }

    private SimTask self() {
        SimTask self = current.get();
        if (self == null) {
            throw new IllegalStateException("this thread is not a simulated one");
        }
        return self;
    }

    /** Whether the calling thread is one of this simulation. */
    boolean isInside() {
        return current.get() != null;
    }

    // ------------------------------------------------------------------------------------------------ waiting

    @Override
    public long nanoTime() {
        if (isInside()) {
            reschedule();
        }
        return now;
    }

    @Override
    public long newSeed() {
        return seeds.nextLong();
    }

    @Override
    public void pause(int attempt) {
        SimTask self = current.get();
        if (self == null) {
            Thread.onSpinWait();
            return;
        }
        checkInterrupted(self);
        if (self.requests > 0) {
            self.state = SimTask.State.WAITING; // until a completion arrives
        } else {
            scheduler.paused(self);
            sleepUntil(self, now + (PAUSE_NANOS << Math.min(attempt, LONGEST_PAUSE_LOG2)));
        }
        passOn(self);
    }

    private static void checkInterrupted(SimTask self) {
        if (self.interrupted) {
            throw new FabricException("interrupted while waiting");
        }
    }

    @Override
    public void sleep(long nanos) {
        SimTask self = self();
        if (self.wakeNext || self.interrupted) {
            self.wakeNext = false;
            return;
        }
        sleepUntil(self, now + nanos);
        passOn(self);
    }

    private void sleepUntil(SimTask task, long time) {
        task.state = SimTask.State.ASLEEP;
        task.wakeTime = time;
        task.sleepNumber++;
        sleeps.add(new Sleep(task, time, task.sleepNumber));
    }

    /** Gives everybody a chance, the caller too. */
    void reschedule() {
        SimTask self = current.get();
        if (self != null) {
            makeReady(self);
            passOn(self);
        }
    }

    /** A thread posts something of which it will be told. */
    SimTask requested() {
        SimTask self = current.get();
        if (self != null) {
            self.requests++;
        }
        return self;
    }

    /** A completion for a thread has arrived. */
    void arrived(SimTask task) {
        if (task != null) {
            task.requests--;
            wakeWaiting(task);
        }
    }

    private void wakeWaiting(SimTask task) {
        if (task.state == SimTask.State.WAITING) {
            makeReady(task);
        }
    }

    // ------------------------------------------------------------------------------------------------ going on

    int newAgent() {
        return agents++;
    }

    /** The agent can go on. */
    void makeReady(Agent agent) {
        if (agent instanceof SimTask task) {
            if (task.state == SimTask.State.STOPPED || task.state == SimTask.State.ENDED) {
                return;
            }
            task.state = SimTask.State.READY;
        }
        if (agent.position < 0) {
            agent.position = ready.size();
            ready.add(agent);
        }
    }

    /** The agent cannot go on. */
    void makeUnready(Agent agent) {
        if (agent.position >= 0) {
            Agent last = ready.remove(ready.size() - 1);
            if (last != agent) {
                ready.set(agent.position, last);
                last.position = agent.position;
            }
            agent.position = -1;
        }
    }

    /** A lane that was picked could not go on: a scheduler with favourites has to try another. */
    void blocked(SimLane lane) {
        scheduler.paused(lane);
    }

    boolean may(Weakness weakness) {
        return weaknesses.contains(weakness);
    }

    int choose(int bound) {
        return bound == 1 ? 0 : scheduler.choose(bound);
    }

    /** The calling thread gives up its turn, and returns when it has it again; at once if it has ended. */
    private void passOn(SimTask self) {
        if (ended && self.isAlive()) {
            throw new SimulationEnded(); // also for what it wants to clean up
        }
        SimTask next = nextTask();
        if (next == self) {
            return;
        }
        if (next != null) {
            next.giveTurn();
        }
        if (self.isAlive()) {
            self.awaitTurn();
            if (ended) {
                throw new SimulationEnded();
            }
        }
    }

    /** Advances lanes until a thread is picked. Null if the simulation is over. */
    private SimTask nextTask() {
        while (true) {
            if (isOver()) {
                over.countDown();
                return null;
            }
            if (ready.isEmpty() && !wakeSleepers()) {
                fail(new StuckException("nothing can happen any more: " + describe()));
                over.countDown();
                return null;
            }
            if (++steps > maxSteps) {
                fail(new StuckException("no end after " + maxSteps + " steps: " + describe()));
                over.countDown();
                return null;
            }
            now += STEP_NANOS;
            wakeThoseDue();
            Agent next = ready.get(scheduler.pick(ready, running));
            running = next;
            note(next);
            if (next instanceof SimTask task) {
                makeUnready(task);
                return task;
            }
            ((SimLane) next).advance();
        }
    }

    private boolean isOver() {
        return failure != null || unfinished == 0;
    }

    /** Moves the clock to the next moment at which a thread wakes up. */
    private boolean wakeSleepers() {
        while (!sleeps.isEmpty() && !isAsleep(sleeps.peek())) {
            sleeps.poll();
        }
        if (sleeps.isEmpty()) {
            return false;
        }
        now = Math.max(now, sleeps.peek().until());
        wakeThoseDue();
        return true;
    }

    private void wakeThoseDue() {
        while (!sleeps.isEmpty() && sleeps.peek().until() <= now) {
            Sleep sleep = sleeps.poll();
            if (isAsleep(sleep)) {
                makeReady(sleep.task());
            }
        }
    }

    private static boolean isAsleep(Sleep sleep) {
        return sleep.task().state == SimTask.State.ASLEEP && sleep.task().sleepNumber == sleep.number();
    }

    private void note(Agent agent) {
        traceHash = traceHash * 31 + agent.number();
        if (trace != null) {
            trace.append(steps)
                    .append(' ')
                    .append(now)
                    .append(' ')
                    .append(agent.name())
                    .append('\n');
        }
    }

    /** For a trace: something that happened in the current step. */
    void note(String what) {
        if (trace != null) {
            trace.append("    ").append(what).append('\n');
        }
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (SimTask task : tasks) {
            if (task.isAlive()) {
                text.append("\n  ").append(task.name()).append(": ").append(task.state);
                if (task.thread() != Thread.currentThread()) {
                    for (StackTraceElement at : task.thread().getStackTrace()) {
                        if (at.getClassName().startsWith("dev.remus")) {
                            text.append("\n    at ").append(at);
                        }
                    }
                }
            }
        }
        return text.toString();
    }

    // ------------------------------------------------------------------------------------------------ faults

    /** Stops a thread for ever, at the point where it waits now. Not the calling one. */
    void stop(SimTask task) {
        if (task.isAlive()) {
            makeUnready(task);
            task.state = SimTask.State.STOPPED;
            unfinished -= task.isDaemon() ? 0 : 1;
            if (task.joiner != null) {
                makeReady(task.joiner);
            }
        }
    }

    /** Lets all threads that are left end. */
    private void endAll() {
        ended = true;
        for (SimTask task : List.copyOf(tasks)) { // one after the other, since there is no order among them any more
            task.giveTurn();
            join(task.thread());
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // they end soon, and nothing may be left
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
