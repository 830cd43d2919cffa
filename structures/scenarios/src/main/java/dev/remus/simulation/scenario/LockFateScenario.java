// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Thread 0 holds a lock while one of the {@linkplain Plot plots} of a {@linkplain Fate fate} happens behind it. All
 * plots but one include a thread that is lost with its node. The threads that are left must get the lock, one at a
 * time, and the first after a lost holder must learn of its death.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param rounds the number of times each takes the lock at the end
 * @param fate selects the plots
 */
public record LockFateScenario(int threads, int rounds, Fate fate) implements Scenario {
    /** The misfortune of a waiter. */
    public enum Fate {
        /** A waiter is lost, or the holder is, behind which others have given up. */
        LOST(Plot.A_WAITER_IS_LOST, Plot.MANY_HAVE_GIVEN_UP, Plot.THE_HOLDER_IS_LOST),
        /** A thread claims its ticket so late that it may be presumed abandoned. */
        LATE(Plot.A_THREAD_COMES_LATE, Plot.A_THREAD_IS_SLOW);

        private final List<Plot> plots;

        Fate(Plot... plots) {
            this.plots = List.of(plots);
        }
    }

    /** The events behind the holder. */
    private enum Plot {
        /**
         * A thread is lost while it waits. The holder releases the lock once its node has noticed, and others arrive
         * after that.
         */
        A_WAITER_IS_LOST,
        /**
         * A thread claims its ticket so late that the ticket is presumed abandoned, because another thread, which does
         * not use the lock, is lost. The claim may arrive just when the ticket is skipped.
         */
        A_THREAD_COMES_LATE,
        /**
         * The same, but no node is lost: the ticket is presumed abandoned as it is overdue. No ticket of another thread
         * may be skipped, and of this one no more than it has late requests.
         */
        A_THREAD_IS_SLOW,
        /** Many tickets are abandoned, and then a waiter behind the holder, or the holder itself, is lost. */
        MANY_HAVE_GIVEN_UP,
        /**
         * The holder is lost, and nobody waits. The next thread gets the lock although it does not wait, since it looks
         * twice then.
         */
        THE_HOLDER_IS_LOST
    }

    /** The first holder of the lock. */
    private static final int HOLDER = 0;

    /** The thread that arrives first after it. */
    private static final int SECOND = 1;

    private static final int MAX_VIEWS = 3;
    private static final int LONGEST_HOLD = 60;
    private static final int LATEST_WAIT = 12;

    /** More polls than those after which an unclaimed ticket may be presumed abandoned, if it is overdue. */
    private static final int QUICK_POLLS = 100;

    private static final long QUICK_POLL_NANOS = 1_000;

    /** An unclaimed ticket is overdue after this time. */
    private static final long UNCLAIMED_NANOS = 100_000_000;

    /**
     * In its first waits a thread reads the address of the lock, draws a ticket and claims it. All requests from one of
     * these on are late, since most delays are too short for the ticket to be presumed abandoned.
     */
    private static final int WAITS_TO_COME = 5;

    /**
     * Much longer than it takes until a late thread's ticket is presumed abandoned; its requests are late for up to
     * half of this time.
     */
    private static final long QUIET_NANOS = 600_000_000_000L;

    /** The same where nothing ends the wait for the late thread sooner. */
    private static final long SLOW_QUIET_NANOS = QUIET_NANOS / 10;

    /** In place of a thread that is lost. */
    private static final int NONE = -1;

    /** Rejects parameters that cannot be run. */
    public LockFateScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    private int last() {
        return threads - 1;
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        Plot plot = fate.plots.get(random.nextInt(fate.plots.size()));
        int lost = switch (plot) {
            case A_WAITER_IS_LOST -> SECOND;
            case A_THREAD_COMES_LATE -> last();
            case A_THREAD_IS_SLOW -> NONE;
            case MANY_HAVE_GIVEN_UP -> random.nextInt(3) > 0 ? HOLDER : SECOND; // the other case takes long
            case THE_HOLDER_IS_LOST -> HOLDER;
        };
        List<Strike> strikes = new ArrayList<>();
        if (lost != NONE) {
            strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, lost, 1 + random.nextInt(LATEST_WAIT)));
        }
        int late = 0;
        if (plot == Plot.A_THREAD_COMES_LATE || plot == Plot.A_THREAD_IS_SLOW) {
            int first = 1 + random.nextInt(WAITS_TO_COME);
            late = WAITS_TO_COME - first + 1;
            IntStream.rangeClosed(first, WAITS_TO_COME)
                    .forEach(wait -> strikes.add(new Strike(Fault.LATE_REQUESTS, SECOND, wait)));
        }
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        cluster.simulator().quietAfter(lost == NONE ? SLOW_QUIET_NANOS : QUIET_NANOS);
        Run run = new Run(plot, lost, late, random.nextBoolean());
        cluster.prepared(this::createLock).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    private void createLock(ComputeThread ct) {
        if (ct.id() == HOLDER) {
            RemoteLock lock = new RemoteLock(threads);
            lock.allocate(ct);
            lock.init(ct);
            ct.root().set(new RdmaPtr<>(lock.pointer()));
        }
    }

    private RemoteLock[] views(int howMany, ComputeThread ct) {
        RemoteLock[] views = new RemoteLock[howMany];
        for (int i = 0; i < howMany; i++) {
            views[i] = new RemoteLock(threads);
            views[i].at(ct.root().get().raw());
        }
        return views;
    }

    /** Records of the run, on the Java heap. */
    private final class Run {
        private final Plot plot;
        private final int lost;

        /** The number of late requests. */
        private final int late;

        private final Set<Integer> through = new TreeSet<>();
        private final NavigableSet<Long> tickets = new TreeSet<>();

        /** Whether threads poll at first where one is slow, often and without a wait. */
        private final boolean arePolling;

        /** The longest time that any thread took to acquire the lock. */
        private long longest;

        private boolean isHeld;
        private boolean isReleased;

        /** The number of threads, besides the holder, that have begun to acquire the lock. */
        private int comers;

        private @Nullable ComputeThread inside;

        Run(Plot plot, int lost, int late, boolean arePolling) {
            this.plot = plot;
            this.arePolling = arePolling && plot == Plot.A_THREAD_IS_SLOW;
            this.lost = lost;
            this.late = late;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            if (ct.id() == HOLDER) {
                hold(random, ct);
            } else if (ct.id() == lost && plot == Plot.A_THREAD_COMES_LATE) {
                idle(ct);
            } else {
                come(random, ct);
            }
            through.add(ct.id());
        }

        private static void idle(ComputeThread ct) {
            while (true) {
                ct.pause(); // until the node is lost
            }
        }

        private void hold(SplittableRandom random, ComputeThread ct) {
            RemoteLock lock = views(1, ct)[0];
            enter(lock, lock.acquire(ct), ct);
            isHeld = true;
            switch (plot) {
                case A_WAITER_IS_LOST -> {
                    while (!ct.peers().isLost(lost)) {
                        ct.pause();
                    }
                }
                case A_THREAD_COMES_LATE, A_THREAD_IS_SLOW -> pause(random.nextInt(LONGEST_HOLD), ct);
                case THE_HOLDER_IS_LOST -> idle(ct);
                case MANY_HAVE_GIVEN_UP -> {
                    if (lost == HOLDER) {
                        idle(ct);
                    }
                    while (!ct.peers().isLost(lost)) { // or else that thread could be lost while it has the lock
                        ct.pause();
                    }
                    pause(random.nextInt(LONGEST_HOLD), ct);
                }
            }
            inside = null;
            lock.release(ct);
            isReleased = true;
            take(lock, ct);
        }

        private static void pause(int times, ComputeThread ct) {
            for (int i = 0; i < times; i++) {
                ct.pause();
            }
        }

        private void come(SplittableRandom random, ComputeThread ct) {
            int tickets = plot == Plot.MANY_HAVE_GIVEN_UP && ct.id() != lost ? howMany(random) : 0;
            RemoteLock[] views = views(1 + tickets, ct);
            while (!isItsTime(ct)) {
                if (plot == Plot.MANY_HAVE_GIVEN_UP
                        && lost == HOLDER
                        && ct.peers().isLost(HOLDER)) {
                    return; // it was lost before it had the lock
                }
                ct.pause();
            }
            if (plot == Plot.THE_HOLDER_IS_LOST && comers == 0) {
                tryFirst(views(1, ct)[0], ct);
            }
            comers++;
            for (int i = 0; i < tickets; i++) {
                Acquisition acquisition = views[i].tryAcquire(0, ct);
                if (acquisition.isHeld()) {
                    enter(views[i], acquisition, ct);
                    inside = null;
                    views[i].release(ct);
                }
            }
            take(views[tickets], ct);
        }

        /**
         * The number of tickets that a thread abandons; where a waiter is lost, mostly as many as complete a round with
         * the others.
         */
        private int howMany(SplittableRandom random) {
            return lost == SECOND && random.nextInt(8) > 0 ? 1 : random.nextInt(MAX_VIEWS);
        }

        private boolean isItsTime(ComputeThread ct) {
            return switch (plot) {
                case A_WAITER_IS_LOST -> ct.id() == SECOND ? isHeld : isReleased;
                case A_THREAD_COMES_LATE, A_THREAD_IS_SLOW -> ct.id() == SECOND || comers > 0;
                case THE_HOLDER_IS_LOST -> ct.peers().isLost(HOLDER) && (ct.id() == SECOND || comers > 0);
                case MANY_HAVE_GIVEN_UP ->
                    isHeld && (ct.id() == SECOND || comers > 0 || ct.peers().isLost(SECOND));
            };
        }

        /** If the holder was lost before it had the lock, its ticket may have to be polled for long. */
        private void tryFirst(RemoteLock lock, ComputeThread ct) {
            Acquisition acquisition = lock.tryAcquire(0, ct);
            if (acquisition.isHeld()) {
                enter(lock, acquisition, ct);
                inside = null;
                lock.release(ct);
            } else if (isHeld) {
                throw new AssertionError(ct + " does not get the lock, which only a lost thread holds");
            }
        }

        private void take(RemoteLock lock, ComputeThread ct) {
            for (int i = 0; i < rounds; i++) {
                long start = ct.nanoTime();
                Acquisition acquisition = i == 0 && arePolling && ct.id() > SECOND ? poll(lock, ct) : lock.acquire(ct);
                longest = Math.max(longest, ct.nanoTime() - start);
                enter(lock, acquisition, ct);
                ct.pause();
                inside = null;
                lock.release(ct);
            }
        }

        private Acquisition poll(RemoteLock lock, ComputeThread ct) {
            for (int i = 0; i < QUICK_POLLS; i++) {
                Acquisition acquisition = lock.tryAcquire(0, ct);
                if (acquisition.isHeld()) {
                    return acquisition;
                }
                tickets.add(lock.ticket());
                ct.pause(QUICK_POLL_NANOS);
            }
            return lock.acquire(ct);
        }

        private void enter(RemoteLock lock, Acquisition acquisition, ComputeThread ct) {
            if (acquisition == Acquisition.HOLDER_DIED) {
                if (lost == NONE || plot == Plot.A_WAITER_IS_LOST) {
                    throw new AssertionError(ct + " learns that a holder has died, and none has");
                }
                inside = inside != null && inside.id() == lost ? null : inside;
                lock.makeConsistent();
            }
            if (inside != null) {
                throw new AssertionError(ct + " has the lock, and so has " + inside);
            }
            inside = ct;
            tickets.add(lock.ticket());
        }

        void judge() {
            IntStream.range(0, threads)
                    .filter(thread -> thread != lost && !through.contains(thread))
                    .findFirst()
                    .ifPresent(thread -> {
                        throw new AssertionError("thread " + thread + " waits for the lock for ever; in this plot, "
                                + plot + ", lost is " + lost);
                    });
            if (plot == Plot.A_THREAD_IS_SLOW && tickets.size() + late <= tickets.last()) {
                throw new AssertionError("no thread has given up, and only " + late
                        + " requests are late, but only the tickets " + tickets + " have held the lock");
            }
            if (plot == Plot.A_THREAD_IS_SLOW && longest < UNCLAIMED_NANOS && tickets.size() <= tickets.last()) {
                throw new AssertionError("only the tickets " + tickets + " were held or given up, and no thread has"
                        + " waited for longer than " + longest + " ns");
            }
        }
    }
}
