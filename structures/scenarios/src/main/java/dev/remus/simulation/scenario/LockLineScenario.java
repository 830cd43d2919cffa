// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.Acquisition;
import dev.remus.lock.LostHolderException;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One of the {@linkplain Plot plots} of a {@linkplain Kind kind} happens to a lock and the line behind its holder. The
 * threads that are left must get the lock, one at a time, in the order of their tickets. They must learn of a death
 * inside, and whose it was, and of none if there was none.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param rounds the number of times each takes the lock at the end
 * @param places the number of tickets after which a place of the lock is used again
 * @param kind selects the plots
 * @param creator makes the lock
 * @param opener makes a thread's handle to it
 */
public record LockLineScenario(
        int threads, int rounds, int places, Kind kind, LockHandle.Creator creator, LockHandle.Opener opener)
        implements Scenario {
    /** A kind of line. */
    public enum Kind {
        /** Most other places are of tickets that were given up, so that threads that come have none. */
        FULL(Plot.THE_HOLDER_DIES, Plot.A_WAITER_DIES, Plot.HOLDERS_DIE),
        /** Each holder learns late whether it has released the lock. */
        SLOW(Plot.LANES_BREAK);

        private final List<Plot> plots;

        Kind(Plot... plots) {
            this.plots = List.of(plots);
        }
    }

    /** The events in the line. */
    private enum Plot {
        /** The holder is lost, inside or as it releases the lock. */
        THE_HOLDER_DIES(0, 0),
        /** A waiter is lost, and then the holder releases the lock. */
        A_WAITER_DIES(1, 0),
        /** The holder is lost as it releases the lock, and so is the next one. So are two threads that draw tickets. */
        HOLDERS_DIE(1, 2),
        /** The lane of each holder breaks as it releases the lock, and it pauses while others come. */
        LANES_BREAK(0, 0);

        private final int heirs;
        private final int drawers;

        Plot(int heirs, int drawers) {
            this.heirs = heirs;
            this.drawers = drawers;
        }
    }

    /** Gives tickets up. It is not lost, so no thread learns of its death. */
    private static final int QUITTER = 0;

    private static final int HOLDER = 1;
    private static final int HEIR = 2;

    private static final int LATEST_WAIT = 8;
    private static final int WAITS_IN_RELEASE = 4;
    private static final int LONGEST_HOLD = 20;
    private static final int MAX_PAUSES = 3;
    private static final int MOST_TRIES = 3;

    private static final long LONGEST_PAUSE_NANOS = 40_000_000;
    private static final long LATEST_COMING_NANOS = 20_000;

    /** An unclaimed ticket is polled 64 times, at intervals of up to 33 ms. */
    private static final long QUIET_NANOS = 8_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public LockLineScenario {
        if (threads < 6 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, at least 6, and at least one round");
        }
    }

    /** The scenario with a {@link RemoteLock}. */
    public static LockLineScenario remoteLock(int threads, int rounds, Kind kind) {
        return new LockLineScenario(threads, rounds, threads, kind, RemoteLockHandle::create, RemoteLockHandle::new);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Run run = new Run(schedule);
        run.run();
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final Schedule schedule;
        private final Plot plot;
        private final SimulatedCluster cluster;

        /** The threads below this one and behind the holder are heirs and drawers; the others take the lock. */
        private final int takers;

        /** The tickets that the holder uses first, so that any place may be the last one. */
        private final int before;

        /** Whether the others come while the lock is held, or only when it is released or its holders are lost. */
        private final boolean areTakersEarly;

        private final List<ComputeThread> all = new ArrayList<>();
        private final Set<Integer> through = new TreeSet<>();
        private RdmaPtr<?> pointer = RdmaPtr.nullPointer();
        private boolean isHeld;
        private boolean isHeirInLine;
        private boolean isLineComplete;
        private boolean isPassing;
        private long begin;
        private int coming;
        private @Nullable ComputeThread inside;
        private boolean isInconsistent;
        private long lastTicket = -1;

        Run(Schedule schedule) {
            this.schedule = schedule;
            SplittableRandom random = schedule.choices(-1);
            plot = kind.plots.get(random.nextInt(kind.plots.size()));
            takers = HEIR + plot.heirs + plot.drawers;
            before = random.nextInt(threads);
            areTakersEarly = kind == Kind.FULL && random.nextInt(3) > 0;
            cluster = new SimulatedCluster(
                    SimulatedCluster.small(threads)
                            .computeNodes(2, 1 + threads)
                            .threadsPerNode(1)
                            .onNodeLoss(OnNodeLoss.CONTINUE)
                            .build(),
                    schedule.withFaults(Set.of()).withStrikes(strikes(random).toArray(Strike[]::new)));
            cluster.simulator().quietAfter(QUIET_NANOS);
        }

        private List<Strike> strikes(SplittableRandom random) {
            List<Strike> strikes = new ArrayList<>();
            int release = 1 + random.nextInt(WAITS_IN_RELEASE);
            switch (plot) {
                case THE_HOLDER_DIES ->
                    lose(HOLDER, release + random.nextInt(2) * random.nextInt(places), strikes, random);
                case A_WAITER_DIES -> lose(HEIR, 2 + random.nextInt(LATEST_WAIT), strikes, random);
                case HOLDERS_DIE -> {
                    lose(HOLDER, release, strikes, random);
                    lose(HEIR, 1 + random.nextInt(WAITS_IN_RELEASE), strikes, random);
                    for (int drawer = HEIR + 1; drawer < takers; drawer++) {
                        lose(drawer, 1 + random.nextInt(LATEST_WAIT), strikes, random);
                    }
                }
                case LANES_BREAK -> {
                    for (int thread = 0; thread < threads; thread++) {
                        int wait = 1 + 2 * random.nextInt(2); // that for the swap, or behind a ticket that was given up
                        strikes.add(new Strike(Fault.BROKEN_LANES, thread, wait));
                        strikes.add(new Strike(Fault.PAUSED_THREADS, thread, wait));
                    }
                }
            }
            return strikes;
        }

        /** Loses a thread, perhaps in the middle of a transfer. */
        private static void lose(int thread, int wait, List<Strike> strikes, SplittableRandom random) {
            if (random.nextBoolean()) {
                strikes.add(new Strike(Fault.LATE_REQUESTS, thread, wait));
            }
            strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, thread, wait));
        }

        void run() throws Exception {
            cluster.prepared(ct -> {
                        all.add(ct);
                        if (ct.id() == HOLDER) {
                            pointer = creator.create(ct);
                        }
                    })
                    .run(ct -> work(schedule.choices(ct.id()), ct));
        }

        private void work(SplittableRandom random, ComputeThread ct) {
            cluster.simulator().shelter(); // strikes count from a moment of its role
            LockHandle lock = opener.open(pointer, ct);
            if (ct.id() == HOLDER) {
                hold(lock, random, ct);
            } else if (ct.id() == QUITTER) {
                quit(random, ct);
            } else if (ct.id() < HEIR + plot.heirs) {
                inherit(lock, ct);
            } else {
                await(ct, () -> isLineComplete);
                if (ct.id() < takers) {
                    cluster.simulator().expose(ct.id());
                    lock.acquire(ct);
                    idle(ct);
                }
            }
            awaitItsTime(ct);
            if (plot == Plot.LANES_BREAK) { // the holder releases the lock now
                ct.pause(begin - ct.nanoTime() + random.nextLong(LATEST_COMING_NANOS));
            }
            coming++;
            takeTurns(lock, random, ct);
            through.add(ct.id());
        }

        private void hold(LockHandle lock, SplittableRandom random, ComputeThread ct) {
            for (int i = 0; i < before; i++) {
                lock.acquire(ct);
                lock.release(ct);
            }
            enter(lock, lock.acquire(ct), ct);
            isHeld = true;
            await(ct, () -> isLineComplete && areDrawersLost(ct));
            await(ct, () -> !areTakersEarly || coming == threads - takers + 1);
            await(ct, () -> plot != Plot.A_WAITER_DIES || ct.peers().isLost(HEIR));
            for (int i = random.nextInt(LONGEST_HOLD); i > 0; i--) {
                ct.pause();
            }
            if (plot == Plot.LANES_BREAK) {
                isPassing = true;
                begin = ct.nanoTime() + LONGEST_PAUSE_NANOS;
                ct.pause(LONGEST_PAUSE_NANOS);
            }
            cluster.simulator().expose(ct.id());
            if (plot == Plot.THE_HOLDER_DIES && random.nextBoolean()) {
                idle(ct);
            }
            inside = null;
            isPassing = true;
            lock.release(ct);
            if (plot == Plot.THE_HOLDER_DIES || plot == Plot.HOLDERS_DIE) {
                idle(ct);
            }
            cluster.simulator().shelter();
        }

        /** Each ticket that it gives up is of a view of its own. Gives up some more while the lock is released. */
        private void quit(SplittableRandom random, ComputeThread ct) {
            await(ct, () -> isHeld && (plot.heirs == 0 || isHeirInLine));
            int tickets = kind == Kind.FULL ? places - 1 - plot.heirs : random.nextInt(2);
            for (int i = 0; i < tickets; i++) {
                if (opener.open(pointer, ct).tryAcquire(0, ct).isHeld()) {
                    throw new AssertionError(ct + " has the lock, and so has thread " + HOLDER);
                }
            }
            isLineComplete = true;
            if (areTakersEarly) {
                return;
            }
            awaitItsTime(ct);
            for (int i = random.nextInt(MOST_TRIES); i > 0; i--) {
                LockHandle lock = opener.open(pointer, ct);
                Acquisition acquisition = lock.tryAcquire(0, ct);
                if (acquisition.isHeld()) {
                    enter(lock, acquisition, ct);
                    leave(lock, ct);
                }
            }
        }

        /** Draws its ticket before others come. It is lost as it waits, or inside, or as it releases the lock. */
        private void inherit(LockHandle lock, ComputeThread ct) {
            await(ct, () -> isHeld);
            lock.tryAcquire(0, ct);
            isHeirInLine = true;
            if (plot == Plot.A_WAITER_DIES) {
                await(ct, () -> isLineComplete);
                cluster.simulator().expose(ct.id());
            }
            enter(lock, lock.acquire(ct), ct);
            cluster.simulator().expose(ct.id());
            leave(lock, ct);
            idle(ct);
        }

        private static void idle(ComputeThread ct) {
            while (true) {
                ct.pause(); // until the node is lost
            }
        }

        private static void await(ComputeThread ct, BooleanSupplier condition) {
            while (!condition.getAsBoolean()) {
                ct.pause();
            }
        }

        private boolean areDrawersLost(ComputeThread ct) {
            return IntStream.range(HEIR + plot.heirs, takers).allMatch(ct.peers()::isLost);
        }

        private void awaitItsTime(ComputeThread ct) {
            await(
                    ct,
                    () -> areTakersEarly && areDrawersLost(ct)
                            || isPassing
                            || ct.peers().isLost(HOLDER));
        }

        private void takeTurns(LockHandle lock, SplittableRandom random, ComputeThread ct) {
            for (int i = 0; i < rounds; i++) {
                if (plot == Plot.LANES_BREAK) {
                    ct.pause(random.nextLong(LATEST_COMING_NANOS));
                }
                if (random.nextInt(3) == 0) {
                    takeConsistent(lock, ct);
                    continue;
                }
                Acquisition acquisition = Acquisition.TIMED_OUT;
                for (int tries = random.nextInt(MOST_TRIES); tries > 0 && !acquisition.isHeld(); tries--) {
                    acquisition = lock.tryAcquire(0, ct);
                }
                enter(lock, acquisition.isHeld() ? acquisition : lock.acquire(ct), ct);
                if (random.nextInt(3) > 0) {
                    lock.makeConsistent();
                    isInconsistent = false;
                }
                for (int pauses = random.nextInt(MAX_PAUSES); pauses > 0; pauses--) {
                    ct.pause();
                }
                leave(lock, ct);
            }
        }

        private void takeConsistent(LockHandle lock, ComputeThread ct) {
            try {
                lock.acquireConsistent(ct);
                enter(lock, Acquisition.NORMAL, ct);
                leave(lock, ct);
            } catch (LostHolderException e) {
                if (!isKnownToBeLost(e.thread())) {
                    throw new AssertionError(ct + " learns of the death of thread " + e.thread() + ", which lives", e);
                }
            }
        }

        private void enter(LockHandle lock, Acquisition acquisition, ComputeThread ct) {
            ComputeThread former = inside;
            if (former != null && !isKnownToBeLost(former.id())) {
                throw new AssertionError(ct + " has the lock, and so has " + former);
            }
            isInconsistent |= former != null;
            if (isInconsistent && acquisition == Acquisition.NORMAL) {
                throw new AssertionError(ct + " does not learn that a holder has died");
            }
            boolean hasNoneDied = plot == Plot.A_WAITER_DIES && lock.tellsLostWaiters() || plot == Plot.LANES_BREAK;
            if (acquisition == Acquisition.HOLDER_DIED && hasNoneDied) {
                throw new AssertionError(ct + " learns that a holder has died, and none has");
            }
            isInconsistent |= acquisition == Acquisition.HOLDER_DIED;
            if (lock.ticket() <= lastTicket) {
                throw new AssertionError(
                        ct + " has the lock with ticket " + lock.ticket() + " after one with ticket " + lastTicket);
            }
            inside = ct;
            lastTicket = lock.ticket();
        }

        private boolean isKnownToBeLost(int thread) {
            return all.stream().anyMatch(other -> other.peers().isLost(thread));
        }

        private void leave(LockHandle lock, ComputeThread ct) {
            inside = null;
            if (plot == Plot.LANES_BREAK) {
                cluster.simulator().expose(ct.id());
            }
            lock.release(ct);
            if (plot == Plot.LANES_BREAK) {
                cluster.simulator().shelter();
            }
        }

        void judge() {
            Set<Integer> lost = cluster.stoppedThreads();
            for (int thread = 0; thread < threads; thread++) {
                if (!lost.contains(thread) && !through.contains(thread)) {
                    throw new AssertionError("thread " + thread + " waits for the lock for ever; in this plot, " + plot
                            + ", lost are " + lost);
                }
            }
        }
    }
}
