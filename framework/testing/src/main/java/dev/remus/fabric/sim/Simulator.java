// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.config.ThreadKind;
import dev.remus.fabric.CostModel;
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
 * <p>A thread keeps its turn until it waits ({@link Pauses#pause}, {@link #sleep}, {@link Task#join}) or reads the
 * clock. Then the scheduler picks the next agent: a lane is advanced right here, another thread is given the turn. A
 * thread that waits for completions can go on when one has arrived. A thread that pauses for any other reason can go
 * on when some virtual time has passed or the word that it saw last has changed.
 *
 * <p>Threads that the simulator has not started may use the fabric too, such as a test that inspects a lane; they
 * execute requests themselves while they poll. With several such threads, a run is not deterministic.
 */
public final class Simulator implements Environment {
    private final SimWorld world;
    private final SimThreads threads;
    private final SimSteps steps;
    private final SimPauses pauses;
    private final SplittableRandom seeds;
    private final long seed;
    private final Coroutines coroutines = FastestCoroutines.create();

    /** The simulated thread that has the turn; {@code currentThread} carries it, and meanwhile no other. */
    private @Nullable SimTask current;

    private volatile @Nullable Thread currentThread;

    private Faults faults;
    private volatile boolean ended;
    private final StartingLine startingLine;

    /**
     * @param seed determines the random numbers of nodes and threads, but not the schedule
     * @param weaknesses the weaknesses that memory may show
     */
    public Simulator(long seed, Scheduler scheduler, Set<Weakness> weaknesses) {
        this.seed = seed;
        this.seeds = new SplittableRandom(seed);
        this.world = new SimWorld(scheduler, weaknesses);
        this.threads = new SimThreads(world);
        this.startingLine = new StartingLine(world);
        this.pauses = new SimPauses(world, this::current, this::passOn);
        this.faults = new Faults(world, threads, seed, Set.of(), List.of());
        this.steps = new SimSteps(world, threads, faults);
    }

    /**
     * Enables faults, which strike threads that are {@linkplain #expose exposed}. After a fault, a run also ends,
     * without an exception, when nothing has changed for half a second of virtual time: the remaining threads wait in
     * vain. If a thread has stopped or something is lost, the run ends likewise at the limit of steps, since a waiter
     * may poll without end. After a loss, time passes faster, because nodes take long to notice it.
     *
     * @param possible the faults that the seed may select
     * @param strikes the faults that happen in any case
     */
    public Simulator faults(Set<Fault> possible, List<Strike> strikes) {
        faults = new Faults(world, threads, seed, possible, strikes);
        steps.faults(faults);
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

    /** Declares that exposed threads share no objects but records of operations, of which they report all calls. */
    public Simulator sharesOnlyRecords() {
        if (world.enumeration() != null) {
            world.enumeration().sharesOnlyRecords();
        }
        return this;
    }

    /** Reports that the calling thread records the call of an operation: the order of calls and returns matters. */
    public void called() {
        if (isInside() && world.enumeration() != null) {
            world.enumeration().called();
        }
    }

    /** Reports that the calling thread records the return of an operation. */
    public void returned() {
        if (isInside() && world.enumeration() != null) {
            world.enumeration().returned();
        }
    }

    /**
     * Makes the first {@link #expose} of each thread return only when so many threads have called it, in an {@link
     * ExhaustiveSearch}. So each of them can be the first to go on, whatever time their preparation took.
     */
    public Simulator startTogether(int count) {
        startingLine.set(count);
        return this;
    }

    /** Waits for the other threads. The wait ends by a choice, so the thread is exposed already. */
    private void awaitStart(SimTask self, int number) {
        self.exposedAs = number;
        self.waits = -1; // this wait does not count
        startingLine.await(self);
        passOn(self);
    }

    /** Lets faults strike the calling thread, under this number, until {@link #shelter}. */
    public void expose(int number) {
        SimTask self = running();
        if (startingLine.isSet() && world.isEnumerated()) {
            awaitStart(self, number);
        }
        self.exposedAs = number;
        self.waits = 0;
        faults.expose(self, steps.taken());
    }

    /** Protects the calling thread from faults from now on. */
    public void shelter() {
        SimTask self = running();
        self.exposedAs = -1;
        faults.shelter(self);
    }

    /**
     * Ends the run at once, as if all threads had ended; for an experiment that has all its results. To be called by a
     * simulated thread, which ends at its next wait.
     */
    public void finish() {
        steps.finish();
    }

    /** Whether the run is over. The remaining threads are then made to end, and their exceptions mean nothing. */
    public boolean hasEnded() {
        return ended;
    }

    /** Ends the simulation with a {@link StuckException} after this many steps. */
    public Simulator maxSteps(long most) {
        steps.max(most);
        return this;
    }

    /** Sets after how many nanoseconds of virtual time without a change a run is over, once a fault has happened. */
    public Simulator quietAfter(long nanos) {
        steps.quietAfter(nanos);
        return this;
    }

    /**
     * Makes operations take the virtual time of a model, instead of about the same time for each step. The scheduler
     * then only orders simultaneous events, and waiters poll repeatedly, as on real hardware. Meant for runs without
     * weaknesses and faults.
     */
    public Simulator costs(CostModel model) {
        world.timing(new Timing(model));
        return this;
    }

    /**
     * Lets Compute Threads use lanes as virtual threads do, whatever their {@link ThreadKind}: an operation waits for a
     * doorbell, its thread lets others go on, and the first thread that polls rings. For runs without a {@link
     * CostModel}; an exhaustive search leaves it out.
     */
    public Simulator withVirtualThreads() {
        world.playVirtualThreads();
        return this;
    }

    @Override
    public boolean takesTurns(ThreadKind kind) {
        return world.playsVirtualThreads();
    }

    /** With a {@link CostModel}: names the resource that was busy for the largest part of the time. */
    public String busiest() {
        return world.timing() == null ? "" : world.timing().busiest(world.now());
    }

    /** With a {@link CostModel}: restarts the count of {@link #busiest}. */
    public void startCounting() {
        if (world.timing() != null) {
            world.timing().startCounting(world.now());
        }
    }

    /** Keeps a line for each step, for {@link #trace}. */
    public Simulator traced() {
        world.keepTrace(null);
        return this;
    }

    /** The same, and a listener receives the events of the run. It names the words that the lines are about. */
    public Simulator traced(TraceListener listener) {
        world.keepTrace(listener);
        return this;
    }

    /** Adds an event of the running thread to the trace. */
    public void note(String what) {
        world.happened(what);
    }

    /** The last events of the run, a line for each step and each change; empty unless {@link #traced}. */
    public String trace() {
        return world.trace();
    }

    /** What carries the simulated threads: {@code continuations}, {@code virtual threads} or {@code threads}. */
    public String threadKind() {
        return coroutines.toString();
    }

    /** A hash of the trace: of the scheduling decisions, the behaviour of memory, the changed words and the faults. */
    public long traceHash() {
        return world.traceHash();
    }

    /** How many steps have been taken. */
    public long steps() {
        return steps.taken();
    }

    /**
     * Runs the body as the first simulated thread, until all threads except daemons have ended. To be called once.
     *
     * @throws StuckException if no agent can go on any more, or after too many steps
     */
    public void run(Runnable body) {
        SimTask first = newTask("main", false);
        launch(first, body);
        try {
            coroutines.run(first.coroutine());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            steps.fail(new FabricException("interrupted while simulating", e));
        } finally {
            endAll();
        }
        steps.throwFailure();
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

    @Override
    public Task startVirtual(String name, int carriers, Runnable body) {
        withVirtualThreads();
        return start(name, false, body);
    }

    private void launch(SimTask task, Runnable body) {
        task.coroutine(coroutines.create(() -> {
            hasTurn(task);
            try {
                if (!ended) {
                    body.run();
                }
            } catch (SimulationEnded e) {
                // expected
            } catch (Throwable e) {
                steps.fail(e);
            } finally {
                leave(task);
            }
        }));
    }

    private void hasTurn(SimTask task) {
        current = task;
        currentThread = Thread.currentThread();
    }

    /** Ends a thread, and passes its turn on. */
    private void leave(SimTask task) {
        if (ended) {
            task.state = SimTask.State.ENDED;
            return;
        }
        faults.shelter(task);
        threads.end(task);
        giveTurn(steps.next(current));
    }

    private void giveTurn(@Nullable SimTask next) {
        if (next == null) {
            coroutines.stop();
        } else {
            next.coroutine().resume();
        }
    }

    private void join(SimTask task) {
        SimTask self = running();
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
    public Task self() {
        return running();
    }

    private SimTask running() {
        SimTask self = current();
        if (self == null) {
            throw new IllegalStateException("this thread is not a simulated one");
        }
        return self;
    }

    /** Whether the calling thread is one of this simulation. */
    public boolean isInside() {
        return currentThread == Thread.currentThread();
    }

    /** The state that lanes and segments share. */
    SimWorld world() {
        return world;
    }

    /** The calling thread; null if it is not a simulated one. */
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
        Timing timing = world.timing();
        if (timing != null) {
            self.sleepFor(timing.clock());
        } else {
            world.makeReady(self); // reading the clock lets time pass
            if (self.isExposed()) {
                world.leavesOut(Bound.CLOCK);
            }
        }
        passOn(self);
        self.interruptsWait = false; // it does not wait
        return self.home == null ? world.now() : self.home.clock(world.now());
    }

    @Override
    public long wallClockMillis() {
        return world.now() / 1_000_000;
    }

    /** Lets other agents go on before the calling thread. */
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
    public Pauses newPauses() {
        return pauses;
    }

    @Override
    public void sleep(long nanos) {
        SimTask self = running();
        if (self.wakeNext || self.interrupted) {
            self.wakeNext = false;
            return;
        }
        if (world.isEnumerated() && self.isExposed()) {
            pauses.rest(self, nanos);
        } else {
            self.sleepFor(nanos);
        }
        passOn(self);
        SimPauses.throwIfStruck(self);
    }

    /** Gives up the turn of the calling thread; returns when it has the turn again. */
    private void passOn(SimTask self) {
        if (ended) {
            throw new SimulationEnded(); // even during its clean-up
        }
        if (self.exposedAs >= 0) {
            self.waits++;
            faults.waits(self);
        }
        SimTask next = steps.next(current);
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

    /** Draws how long a stalled lane waits: at most half as long as a run may be quiet before it is over. */
    long drawStallNanos(SplittableRandom random) {
        int longest = Long.SIZE - 1 - Long.numberOfLeadingZeros(steps.quietNanos() / 2);
        return random.nextLong(1L << random.nextInt(Faults.SHORTEST_FREEZE_LOG2, longest + 1));
    }

    /** Assigns the calling thread, and those that it starts from now on, to a Compute Node that it has opened. */
    void settle(SimNode node) {
        SimTask self = current();
        if (self != null) {
            self.home = node;
        }
        if (faults.areClocksSkewed()) {
            node.skewClock(faults.random());
        }
    }

    /** Ends all remaining threads. */
    private void endAll() {
        ended = true;
        for (SimTask task : threads.all()) { // one at a time, since no schedule orders them any more
            coroutines.finish(task.coroutine());
        }
        currentThread = null;
    }
}
