package dev.remus.fabric.sim;

import dev.remus.fabric.Environment;
import dev.remus.fabric.FabricException;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One simulated world: threads of which one runs at a time, lanes that execute requests, and a clock that only moves
 * when something happens.
 *
 * <p>A thread keeps its turn until it waits ({@link #pause}, {@link #sleep}, {@link Task#join}) or reads the clock.
 * Then the scheduler picks who goes on: lanes are advanced right here, another thread is given the turn. A thread that
 * waits for completions can go on when one has arrived; one that pauses for any other reason, when some virtual time
 * has gone by or the word changes that it has looked at last.
 *
 * <p>Threads that the simulator has not started may use the fabric too (a test that wants to look at a lane): they
 * execute requests themselves while they poll. Such use is not deterministic if there are several of them.
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

    private final SimWorld world;
    private final SimThreads threads;
    private final SplittableRandom seeds;
    private final long seed;
    private final Coroutines coroutines = FastestCoroutines.create();

    /** Who has the turn, and the thread in which it runs. Others of the same thread do not run meanwhile. */
    private @Nullable SimTask current;

    private volatile @Nullable Thread currentThread;

    private Faults faults;
    private long steps;
    private long maxSteps = DEFAULT_STEPS;
    private long quietNanos = QUIET_NANOS;

    /** Whether a task has ended the simulation early. */
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
        this.world = new SimWorld(scheduler, weaknesses);
        this.threads = new SimThreads(world);
        this.faults = new Faults(world, threads, seed, Set.of(), List.of());
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
        faults = new Faults(world, threads, seed, possible, strikes);
        return this;
    }

    /** The faults that have happened, in order. */
    public List<Strike> struck() {
        return List.copyOf(faults.struck());
    }

    /** The numbers of the exposed threads that have stopped for ever, by themselves or with their node. */
    public Set<Integer> stopped() {
        return Set.copyOf(threads.stopped());
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
     * Ends the run here and now, whatever threads are doing, as if all of them had ended: for an experiment that has
     * seen enough. To be called by one of them, which ends when it waits next.
     */
    public void finish() {
        finished = true;
    }

    /**
     * Whether the run is over: threads that are left are then told to end, and what they throw meanwhile means nothing.
     */
    public boolean hasEnded() {
        return ended;
    }

    /** Ends the simulation with a {@link StuckException} after so many steps. */
    public Simulator maxSteps(long most) {
        maxSteps = most;
        return this;
    }

    /**
     * After a fault, a run is over when nothing has changed for this long, by default half a second. For programs that
     * wait longer before they give a node up.
     *
     * @param nanos of virtual time
     */
    public Simulator quietAfter(long nanos) {
        quietNanos = nanos;
        return this;
    }

    /**
     * Lets operations take as much virtual time as a model says, instead of about the same for each step. Then the
     * scheduler only decides between what happens at the same moment, and who waits looks again and again as on real
     * hardware. Meant for runs without weaknesses and faults.
     */
    public Simulator costs(CostModel model) {
        world.timing(new Timing(model));
        return this;
    }

    /** With a {@link CostModel}: what was busy for the largest part of the time, for people. */
    public String busiest() {
        Timing timing = world.timing();
        return timing == null ? "" : timing.busiest(world.now());
    }

    /** With a {@link CostModel}: lets {@link #busiest} count from now on only. */
    public void startCounting() {
        Timing timing = world.timing();
        if (timing != null) {
            timing.startCounting(world.now());
        }
    }

    /** Keeps a line for each step, for {@link #trace}. */
    public Simulator traced() {
        world.keepTrace();
        return this;
    }

    /** What has happened, one step a line; empty unless {@link #traced}. */
    public String trace() {
        return world.trace();
    }

    /** What the simulated threads run in here: {@code continuations}, {@code virtual threads} or {@code threads}. */
    public String threadKind() {
        return coroutines.toString();
    }

    /**
     * A number that is the same for the same trace: who went on, what memory did, the words that changed and the
     * faults.
     */
    public long traceHash() {
        return world.traceHash();
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
        SimTask task = new SimTask(world, this::join, name, daemon);
        SimTask parent = current();
        task.home = parent == null ? null : parent.home;
        threads.add(task);
        return task;
    }

    @Override
    public Task start(String name, boolean daemon, Runnable body) {
        SimTask task = newTask(name, daemon);
        launch(task, body);
        world.makeReady(task);
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
        faults.shelter(task);
        threads.end(task);
        giveTurn(nextTask());
    }

    private void giveTurn(@Nullable SimTask next) {
        if (next == null) {
            coroutines.stop();
        } else {
            next.coroutine().resume();
        }
    }

    private void join(SimTask task) {
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

    /** What lanes and segments work on. */
    SimWorld world() {
        return world;
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
            return world.now();
        }
        if (world.isTimed()) {
            self.sleepFor(LOOK_AT_CLOCK_NANOS);
        } else {
            world.makeReady(self); // time that is looked at goes by
        }
        passOn(self);
        return self.home == null ? world.now() : self.home.clock(world.now());
    }

    /** The calling thread may be overtaken here. */
    void letOthersGoOn() {
        SimTask self = current();
        if (self != null) {
            world.makeReady(self);
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
            self.sleepFor(nanos);
        } else if (world.isTimed()) {
            self.sleepFor(Math.min(nanos, PAUSE_NANOS << Math.min(attempt, LONGEST_TIMED_PAUSE_LOG2)));
        } else {
            world.paused(self);
            boolean hasMissed = self.watcher().hasMissedSomething();
            self.sleepFor(Math.min(nanos, PAUSE_NANOS << (hasMissed ? 0 : Math.min(attempt, LONGEST_PAUSE_LOG2))));
            if (hasMissed) {
                self.watcher().lookAway(); // once: if it does not look again, it waits for something else
            }
            self.watcher().watch();
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
        self.sleepFor(nanos);
        passOn(self);
    }

    // ------------------------------------------------------------------------------------------------ going on

    /** The calling thread gives up its turn, and returns when it has it again. */
    private void passOn(SimTask self) {
        if (ended) {
            throw new SimulationEnded(); // also for what it wants to clean up
        }
        if (self.exposedAs >= 0) {
            self.waits++;
            faults.waits(self);
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
                faults.strike(steps);
            }
            if (world.isIdle() && !world.wakeSleepers()) {
                if (faults.mayLeaveOthersWaiting()) {
                    return null;
                }
                fail(new StuckException("nothing can happen any more: " + describe()));
                return null;
            }
            if (++steps > maxSteps) {
                if (!threads.stopped().isEmpty() || faults.isSomethingLost()) {
                    return null;
                }
                fail(new StuckException("no end after " + maxSteps + " steps: " + describe()));
                return null;
            }
            if (!world.isTimed()) {
                world.pass(faults.isSomethingLost() ? STEP_NANOS_AFTER_LOSS : STEP_NANOS);
            }
            world.wakeThoseDue();
            Agent next = world.pick(steps);
            if (next instanceof SimTask task) {
                world.makeUnready(task);
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

    private String describe() {
        return threads.describe(current);
    }

    // ------------------------------------------------------------------------------------------------ faults

    /** For how long something waits that comes late, perhaps half as long as a run may be quiet before it is over. */
    long drawPatience(SplittableRandom random) {
        int longest = Long.SIZE - 1 - Long.numberOfLeadingZeros(quietNanos / 2);
        return random.nextLong(1L << random.nextInt(Faults.SHORTEST_FREEZE_LOG2, longest + 1));
    }

    /** A thread has opened a Compute Node, to which it and those that it starts belong from now on. */
    void settle(SimNode node) {
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
        for (SimTask task : threads.all()) { // one after the other, since there is no order among them any more
            coroutines.finish(task.coroutine());
        }
        currentThread = null;
    }
}
