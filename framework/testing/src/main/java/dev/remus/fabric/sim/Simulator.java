package dev.remus.fabric.sim;

import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One simulated world: threads of which one runs at a time, lanes that execute requests, and a clock that only moves when
 * something happens.
 *
 * <p>A thread keeps its turn until it waits ({@link #pause}, {@link #sleep}, {@link Task#join}) or reads the clock. Then
 * the scheduler picks who goes on: lanes are advanced right here, another thread is given the turn. A thread that waits
 * for completions can go on when one has arrived; one that pauses for any other reason, when some virtual time has gone
 * by or the word changes that it has looked at last.
 *
 * <p>Threads that the simulator has not started may use the fabric too (a test that wants to look at a lane): they execute
 * requests themselves while they poll. Such use is not deterministic if there are several of them.
 */
public final class Simulator implements Environment {
    private static final long STEP_NANOS = 100;

    /** The same when a node is lost or a lane has broken: what others do about it is measured in tenths of seconds. */
    private static final long STEP_NANOS_AFTER_LOSS = 10_000;

    private static final long PAUSE_NANOS = 500;
    private static final int LONGEST_PAUSE_LOG2 = 16;

    /** Where operations take time, a thread that waits looks again after 64 microseconds at most. */
    private static final int LONGEST_TIMED_PAUSE_LOG2 = 7;

    private static final long LOOK_AT_CLOCK_NANOS = 25;
    private static final long DEFAULT_STEPS = 20_000_000;

    /** After a fault, a run is over when nothing has changed for so long: longer than anything is looked for. */
    private static final long QUIET_NANOS = 500_000_000;

    /** Pauses of a thread that is struck last from a few operations to longer than anybody waits between two looks. */
    private static final int SHORTEST_FREEZE_LOG2 = 12;

    private static final int FREEZES = 15;

    private final Scheduler scheduler;
    private final Set<Weakness> weaknesses;
    private final SplittableRandom seeds;
    private final long seed;
    private final Set<Integer> stopped = new TreeSet<>();
    private final ReadyAgents ready = new ReadyAgents();
    private final List<SimTask> tasks = new ArrayList<>();
    private final VirtualTime time = new VirtualTime();
    private final Trace trace = new Trace();
    private final Coroutines coroutines = Coroutines.fastest();

    /** Who has the turn, and the thread in which it runs. Others of the same thread do not run meanwhile. */
    private @Nullable SimTask current;

    private volatile @Nullable Thread currentThread;

    private Faults faults;
    private @Nullable Agent running;
    private int agents;
    private long requests;
    private int unfinished;
    private long lastChange;
    private long steps;
    private long maxSteps = DEFAULT_STEPS;
    private long quietNanos = QUIET_NANOS;

    /** Null unless operations take time. */
    private @Nullable Timing timing;

    /** Whether somebody has seen enough. */
    private boolean finished;

    private volatile boolean ended;
    private @Nullable Throwable failure;

    /**
     * @param seed decides what random numbers nodes and threads get; the schedule is the scheduler's
     * @param weaknesses what memory may do
     */
    public Simulator(long seed, Scheduler scheduler, Set<Weakness> weaknesses) {
        this.seed = seed;
        this.seeds = new SplittableRandom(seed);
        this.faults = new Faults(seed, Set.of(), List.of());
        this.scheduler = scheduler;
        this.weaknesses = weaknesses.isEmpty() ? EnumSet.noneOf(Weakness.class) : EnumSet.copyOf(weaknesses);
    }

    /**
     * Lets things go wrong, to threads that are {@linkplain #expose exposed}. After a fault, a run also ends, without a
     * complaint, when nothing has changed for half a second of virtual time: who is left waits for what will not come.
     * So it does, if a thread has stopped or something is lost, when there have been too many steps, since one may wait
     * busily. After a loss, time goes by faster, since nodes take their time to notice it.
     *
     * @param possible what the seed may choose from
     * @param strikes what happens in any case
     */
    public Simulator faults(Set<Fault> possible, List<Strike> strikes) {
        faults = new Faults(seed, possible, strikes);
        return this;
    }

    /** The faults that have happened, in order. */
    public List<Strike> struck() {
        return List.copyOf(faults.struck());
    }

    /** The numbers of the exposed threads that have stopped for ever, by themselves or with their node. */
    public Set<Integer> stopped() {
        return Set.copyOf(stopped);
    }

    /** From now on, until {@link #shelter}, faults may strike the calling thread, under this number. */
    public void expose(int number) {
        SimTask self = self();
        self.exposedAs = number;
        self.waits = 0;
        faults.expose(self, steps);
    }

    /** No fault strikes the calling thread any more. */
    public void shelter() {
        SimTask self = self();
        self.exposedAs = -1;
        faults.shelter(self);
    }

    /**
     * Ends the run here and now, whatever threads are doing, as if all of them had ended: for an experiment that has seen
     * enough. To be called by one of them, which ends when it waits next.
     */
    public void finish() {
        finished = true;
    }

    /** Whether the run is over: threads that are left are then told to end, and what they throw meanwhile means nothing. */
    public boolean hasEnded() {
        return ended;
    }

    /** Ends the simulation with a {@link StuckException} after so many steps. */
    public Simulator maxSteps(long most) {
        maxSteps = most;
        return this;
    }

    /**
     * After a fault, a run is over when nothing has changed for so long; half a second unless this says otherwise. For what
     * waits longer before it gives somebody up.
     *
     * @param nanos of virtual time
     */
    public Simulator quietAfter(long nanos) {
        quietNanos = nanos;
        return this;
    }

    /**
     * Lets operations take as much virtual time as a model says, instead of about the same for each step. Then the scheduler
     * only decides between what happens at the same moment, and who waits looks again and again as on real hardware. Meant
     * for runs without weaknesses and faults.
     */
    public Simulator costs(CostModel model) {
        timing = new Timing(model);
        return this;
    }

    /** With a {@link CostModel}: what was busy for the largest part of the time, for people. */
    public String busiest() {
        return timing == null ? "" : timing.busiest(time.now());
    }

    /** With a {@link CostModel}: lets {@link #busiest} count from now on only. */
    public void startCounting() {
        if (timing != null) {
            timing.startCounting(time.now());
        }
    }

    /** Keeps a line for each step, for {@link #trace}. */
    public Simulator traced() {
        trace.keepText();
        return this;
    }

    /** What has happened, one step a line; empty unless {@link #traced}. */
    public String trace() {
        return trace.text();
    }

    /** What the simulated threads run in here: {@code continuations}, {@code virtual threads} or {@code threads}. */
    public String threadKind() {
        return coroutines.toString();
    }

    /** A number that is the same for the same trace: who went on, what memory did, the words that changed and the faults. */
    public long traceHash() {
        return trace.hash();
    }

    /** How many steps have been taken. */
    public long steps() {
        return steps;
    }

    /**
     * Runs something as the first simulated thread, until all threads that are not daemons have ended.
     * To be called once.
     *
     * @throws StuckException if nothing can happen any more, or there have been too many steps
     */
    public void run(Runnable body) {
        SimTask first = newTask("main", false);
        launch(first, body);
        try {
            coroutines.run(first.coroutine());
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
        SimTask parent = current();
        task.home = parent == null ? null : parent.home;
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
        task.coroutine(coroutines.create(() -> {
            hasTurn(task);
            try {
                if (!ended) {
                    body.run();
                }
            } catch (SimulationEnded e) {
                // as it should
            } catch (Throwable e) {
                fail(e);
            } finally {
                leave(task);
            }
        }));
    }

    private void hasTurn(SimTask task) {
        current = task;
        currentThread = Thread.currentThread();
    }

    /** A thread has ended: its turn passes on. */
    private void leave(SimTask task) {
        if (ended) {
            task.state = SimTask.State.ENDED;
            return;
        }
        end(task);
        giveTurn(nextTask());
    }

    private void giveTurn(@Nullable SimTask next) {
        if (next == null) {
            coroutines.stop();
        } else {
            next.coroutine().resume();
        }
    }

    private void end(SimTask task) {
        task.state = SimTask.State.ENDED;
        faults.shelter(task);
        changed();
        unfinished -= task.isDaemon() ? 0 : 1;
        if (task.joiner != null) {
            makeReady(task.joiner);
        }
    }

    void join(SimTask task) {
        SimTask self = self();
        while (task.isAlive()) {
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

    @Override
    @SuppressWarnings("exports") // callers see an opaque Environment.Task
    public SimTask self() {
        SimTask self = current();
        if (self == null) {
            throw new IllegalStateException("this thread is not a simulated one");
        }
        return self;
    }

    /** Whether the calling thread is one of this simulation. */
    boolean isInside() {
        return currentThread == Thread.currentThread();
    }

    /** The simulated thread that calls; null if it is another one. */
    @Nullable
    SimTask current() {
        return isInside() ? current : null;
    }

    // ------------------------------------------------------------------------------------------------ waiting

    @Override
    public long nanoTime() {
        SimTask self = current();
        if (self == null) {
            return now();
        }
        if (timing == null) {
            makeReady(self); // time that is looked at goes by
        } else {
            sleepFor(self, LOOK_AT_CLOCK_NANOS);
        }
        passOn(self);
        return self.home == null ? now() : self.home.clock(now());
    }

    /** The calling thread may be overtaken here. */
    void letOthersGoOn() {
        SimTask self = current();
        if (self != null) {
            makeReady(self);
            passOn(self);
        }
    }

    @Override
    public long newSeed() {
        return seeds.nextLong();
    }

    @Override
    public void pause(int attempt, long nanos) {
        SimTask self = current();
        if (self == null) {
            Thread.onSpinWait();
            return;
        }
        checkInterrupted(self);
        if (self.requests > 0 && nanos == Long.MAX_VALUE) {
            self.state = SimTask.State.WAITING; // until a completion arrives
        } else if (self.requests > 0) {
            self.expectsCompletion = true;
            sleepFor(self, nanos);
        } else if (timing != null) {
            sleepFor(self, Math.min(nanos, PAUSE_NANOS << Math.min(attempt, LONGEST_TIMED_PAUSE_LOG2)));
        } else {
            scheduler.paused(self);
            boolean hasMissed = self.hasMissedSomething();
            sleepFor(self, Math.min(nanos, PAUSE_NANOS << (hasMissed ? 0 : Math.min(attempt, LONGEST_PAUSE_LOG2))));
            if (hasMissed) {
                self.lookAway(); // once: if it does not look again, it waits for something else
            }
            self.watch();
        }
        passOn(self);
        self.expectsCompletion = false;
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
        sleepFor(self, nanos);
        passOn(self);
    }

    private void sleepFor(SimTask task, long nanos) {
        task.state = SimTask.State.ASLEEP;
        time.setAlarm(task, nanos);
    }

    /** Lets a lane go on some time later. */
    void delay(SimLane lane, long nanos) {
        makeUnready(lane);
        time.setAlarm(lane, nanos);
    }

    /** Numbers requests in the order in which they are posted. */
    long nextRequest() {
        return requests++;
    }

    /** A completion for a thread has arrived. */
    void arrived(SimRequest r, SimTask task) {
        task.requests--;
        if (task.state == SimTask.State.WAITING || task.state == SimTask.State.ASLEEP && task.expectsCompletion) {
            task.expectsCompletion = false;
            if (timing == null) {
                makeReady(task);
            } else {
                sleepFor(task, timing.back(r));
            }
        }
    }

    /** When a request is executed that is posted now; at once, if operations take no time. */
    long due(SimRequest r, SimLink link) {
        return timing == null ? 0 : timing.due(r, link.computeNode(), link.memoryNode(), now());
    }

    /** Whether operations take as much time as a {@link CostModel} says. */
    boolean isTimed() {
        return timing != null;
    }

    /** What the clock shows, without time going by. */
    long now() {
        return time.now();
    }

    // ------------------------------------------------------------------------------------------------ going on

    int newAgent() {
        return agents++;
    }

    /** The agent can go on. */
    void makeReady(Agent agent) {
        if (agent instanceof SimTask task) {
            if (!task.canGoOn() || task.state == SimTask.State.FROZEN) {
                return;
            }
            task.state = SimTask.State.READY;
            task.unwatch();
        }
        ready.add(agent);
    }

    /** The agent cannot go on. */
    void makeUnready(Agent agent) {
        if (agent instanceof SimTask task) {
            task.unwatch();
        }
        ready.remove(agent);
    }

    boolean may(Weakness weakness) {
        return weaknesses.contains(weakness);
    }

    int choose(int bound) {
        if (bound == 1) {
            return 0;
        }
        int chosen = scheduler.choose(bound);
        mix(chosen);
        return chosen;
    }

    /** Makes the trace's hash depend on something that has happened. */
    void mix(long what) {
        trace.mix(what);
    }

    /** The calling thread gives up its turn, and returns when it has it again. */
    private void passOn(SimTask self) {
        if (ended) {
            throw new SimulationEnded(); // also for what it wants to clean up
        }
        if (self.exposedAs >= 0) {
            self.waits++;
            faults.waits(self, this);
        }
        SimTask next = nextTask();
        if (next == self) {
            return;
        }
        giveTurn(next);
        self.coroutine().suspend();
        hasTurn(self);
        if (ended) {
            throw new SimulationEnded();
        }
    }

    /** Advances lanes until a thread is picked. Null if the simulation is over. */
    private @Nullable SimTask nextTask() {
        while (true) {
            if (isOver()) {
                return null;
            }
            if (faults.isDue(steps)) {
                faults.strike(this, steps);
            }
            if (ready.isEmpty() && !wakeSleepers()) {
                if (faults.mayLeaveOthersWaiting()) {
                    return null;
                }
                fail(new StuckException("nothing can happen any more: " + describe()));
                return null;
            }
            if (++steps > maxSteps) {
                if (!stopped.isEmpty() || faults.isSomethingLost()) {
                    return null;
                }
                fail(new StuckException("no end after " + maxSteps + " steps: " + describe()));
                return null;
            }
            if (timing == null) {
                time.pass(faults.isSomethingLost() ? STEP_NANOS_AFTER_LOSS : STEP_NANOS);
            }
            wakeThoseDue();
            Agent next = ready.get(scheduler.pick(ready.all(), running));
            running = next;
            trace.step(steps, time.now(), next);
            if (next instanceof SimTask task) {
                makeUnready(task);
                return task;
            }
            ((SimLane) next).advance();
        }
    }

    private boolean isOver() {
        return failure != null
                || finished
                || unfinished == 0
                || now() - lastChange > quietNanos && faults.mayLeaveOthersWaiting();
    }

    /** Something that others may wait for has changed. */
    void changed() {
        lastChange = now();
        mix(lastChange);
    }

    /** Moves the clock to the next moment at which somebody wakes up. */
    private boolean wakeSleepers() {
        if (!time.skipToNextAlarm()) {
            return false;
        }
        wakeThoseDue();
        return true;
    }

    private void wakeThoseDue() {
        for (Agent due = time.takeDue(); due != null; due = time.takeDue()) {
            wakeUp(due);
        }
    }

    private void wakeUp(Agent agent) {
        if (agent instanceof SimTask task) {
            task.state = SimTask.State.ASLEEP; // no longer frozen
        }
        makeReady(agent);
    }

    boolean isTraced() {
        return trace.isTextKept();
    }

    /** For a trace: something that happened in the current step. */
    void note(String what) {
        trace.note(what);
    }

    private String describe() {
        return StuckException.describe(tasks, current);
    }

    // ------------------------------------------------------------------------------------------------ faults

    /** Stops a thread for ever, at the point where it waits now; whoever waits for its end does so in vain. */
    boolean stop(SimTask task) {
        makeUnready(task);
        task.state = SimTask.State.STOPPED;
        stopped.add(task.exposedAs);
        return true;
    }

    /** Stops a thread for some time, perhaps long. */
    boolean freeze(SimTask task, SplittableRandom random) {
        makeUnready(task);
        task.state = SimTask.State.FROZEN;
        time.setAlarm(task, random.nextLong(1L << (SHORTEST_FREEZE_LOG2 + random.nextInt(FREEZES))));
        return true;
    }

    /** For how long something waits that comes late, perhaps half as long as a run may be quiet before it is over. */
    long drawPatience(SplittableRandom random) {
        int longest = Long.SIZE - 1 - Long.numberOfLeadingZeros(quietNanos / 2);
        return random.nextLong(1L << random.nextInt(SHORTEST_FREEZE_LOG2, longest + 1));
    }

    /** Ends a Compute Node with all its threads, wherever they are. */
    boolean kill(SimComputeEndpoint node, SplittableRandom random) {
        for (SimTask task : tasks) {
            if (task.home == node && task.isAlive()) {
                if (task.exposedAs >= 0) {
                    stopped.add(task.exposedAs);
                }
                makeUnready(task);
                end(task);
            }
        }
        node.die(random);
        return true;
    }

    /** A thread has opened a Compute Node, to which it and those that it starts belong from now on. */
    void settle(SimComputeEndpoint node) {
        SimTask self = current();
        if (self != null) {
            self.home = node;
        }
        if (faults.areClocksSkewed()) {
            node.skewClock(faults.random());
        }
    }

    /** Lets all threads that are left end. */
    private void endAll() {
        ended = true;
        for (SimTask task : List.copyOf(tasks)) { // one after the other, since there is no order among them any more
            coroutines.finish(task.coroutine());
        }
        currentThread = null;
    }
}
