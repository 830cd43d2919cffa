// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A lock is passed on behind a line that is as bad as it can be. Thread 0 holds it. Behind it are heirs, which wait,
 * and tickets that were given up, mostly as many as the lock has places. Then come seekers, which are lost while they
 * draw, claim or wait. The holder is lost while it passes the lock on, and so is each heir in turn. In some runs their
 * lanes break instead. All threads that are left must get the lock as often as they try, one at a time, in the order of
 * their tickets; after a death inside they must learn of it.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param rounds the number of times each takes the lock at the end
 * @param places the number of tickets after which a place of the lock is used again
 * @param breaks whether lanes break instead in some runs
 * @param creator makes the lock
 * @param opener makes a thread's handle to it
 */
public record LockHeirsScenario(
        int threads, int rounds, int places, boolean breaks, LockHandle.Creator creator, LockHandle.Opener opener)
        implements Scenario {
    private static final int HOLDER = 0;
    private static final int MOST_HEIRS = 2;
    private static final int MOST_SEEKERS = 2;
    private static final int EARLY_IN_RELEASE = 4;
    private static final int LATE_IN_RELEASE = 6;
    private static final int LATEST_OF_SEEKER = 12;
    private static final int LATEST_OF_OTHERS = 40;
    private static final int MOST_DELAYS = 6;
    private static final int MAX_PAUSES = 3;
    private static final int MOST_TRIES = 4;

    private static final long LONGEST_PAUSE_NANOS = 40_000_000;

    /** An unclaimed ticket is polled 64 times, at intervals of up to 33 ms. */
    private static final long QUIET_NANOS = 8_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public LockHeirsScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    /** The scenario with a {@link RemoteLock}. */
    public static LockHeirsScenario remoteLock(int threads, int rounds) {
        return new LockHeirsScenario(threads, rounds, threads, true, RemoteLockHandle::create, RemoteLockHandle::new);
    }

    /** The scenario with a {@link RemoteQueueLock}. */
    public static LockHeirsScenario queueLock(int threads, int rounds) {
        return new LockHeirsScenario(
                threads, rounds, 2 * threads - 1, true, QueueLockHandle::create, QueueLockHandle::new);
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
        private final SimulatedCluster cluster;
        private final boolean isLoss;

        /** The tickets that thread 0 uses first, so that any place may be the last one. */
        private final int before;

        private final int heirs;

        /** The threads from 0 to this one are the holder, the heirs and the seekers. */
        private final int victims;

        private final boolean isLate;
        private final boolean areHeirsFirst;
        private final List<ComputeThread> all = new ArrayList<>();
        private final Set<Integer> through = new TreeSet<>();
        private RdmaPtr<?> pointer = RdmaPtr.nullPointer();
        private int toAbandon;
        private int abandoning;
        private int heirsInLine;
        private int seeking;
        private boolean isHeld;
        private boolean isPassing;
        private int ready;
        private long begin;
        private @Nullable ComputeThread inside;
        private boolean isInconsistent;
        private long lastTicket = -1;

        Run(Schedule schedule) {
            this.schedule = schedule;
            SplittableRandom random = schedule.choices(-1);
            isLoss = !breaks || random.nextInt(4) > 0;
            before = random.nextInt(threads);
            heirs = Math.min(random.nextInt(2) * (1 + random.nextInt(MOST_HEIRS)), threads - 2);
            int seekers = isLoss ? Math.min(random.nextInt(1 + MOST_SEEKERS), threads - 2 - heirs) : 0;
            victims = 1 + heirs + seekers;
            isLate = random.nextBoolean();
            areHeirsFirst = random.nextInt(3) > 0;
            int most = places - 1 - heirs;
            toAbandon = random.nextInt(3) > 0 ? (isLoss ? most : 0) : random.nextInt(1 + most);
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
            for (int victim = 0; victim < victims; victim++) {
                int latest = random.nextBoolean() ? EARLY_IN_RELEASE : LATE_IN_RELEASE + 2 * toAbandon;
                int wait = 1 + random.nextInt(victim > heirs ? LATEST_OF_SEEKER : latest);
                if (isLoss && random.nextBoolean()) { // in the middle of a transfer
                    strikes.add(new Strike(Fault.LATE_REQUESTS, victim, wait));
                }
                strikes.add(new Strike(isLoss ? Fault.LOST_COMPUTE_NODES : Fault.BROKEN_LANES, victim, wait));
                if (!isLoss) { // so that others use the lock before it READs what its operation did
                    strikes.add(new Strike(Fault.PAUSED_THREADS, victim, wait));
                }
            }
            for (int other = victims; other < threads; other++) {
                for (int i = random.nextInt(MOST_DELAYS); i > 0; i--) {
                    Fault delay = random.nextBoolean() ? Fault.LATE_REQUESTS : Fault.PAUSED_THREADS;
                    strikes.add(new Strike(delay, other, 1 + random.nextInt(LATEST_OF_OTHERS)));
                }
            }
            return strikes;
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
                beginAsHolder(lock, ct);
                hold(lock, Acquisition.NORMAL, random, ct);
            } else if (ct.id() <= heirs) {
                awaitHolder(ct);
                heirsInLine++;
                hold(lock, lock.acquire(ct), random, ct);
            } else {
                abandonTickets(ct);
                if (ct.id() < victims) {
                    seeking++;
                    cluster.simulator().expose(ct.id());
                    hold(lock, lock.acquire(ct), random, ct);
                } else {
                    awaitItsTime(ct);
                    cluster.simulator().expose(ct.id());
                }
            }
            takeTurns(lock, random, ct);
            through.add(ct.id());
        }

        private void beginAsHolder(LockHandle lock, ComputeThread ct) {
            for (int i = 0; i < before; i++) {
                lock.acquire(ct);
                lock.release(ct);
            }
            lock.acquire(ct);
            isHeld = true;
            while (!isLineComplete() || 1 + heirs + seeking < victims) {
                ct.pause();
            }
        }

        private boolean isLineComplete() {
            return toAbandon + abandoning == 0 && heirsInLine == heirs;
        }

        private void awaitHolder(ComputeThread ct) {
            while (!isHeld) {
                ct.pause();
            }
        }

        /** Each ticket that it gives up is of a view of its own. Then waits until the line is as it should be. */
        private void abandonTickets(ComputeThread ct) {
            awaitHolder(ct);
            while (areHeirsFirst && heirsInLine < heirs) {
                ct.pause();
            }
            while (toAbandon > 0) {
                toAbandon--;
                abandoning++;
                if (opener.open(pointer, ct).tryAcquire(0, ct).isHeld()) {
                    throw new AssertionError(ct + " has the lock, and so has thread " + HOLDER);
                }
                abandoning--;
            }
            while (!isLineComplete()) {
                ct.pause();
            }
        }

        /** In half of the runs the others come only now, all at the same moment. */
        private void awaitItsTime(ComputeThread ct) {
            while (isLate && !(isLoss ? areVictimsLost(ct) : isPassing)) {
                ct.pause();
            }
            if (isLate && ++ready == threads - victims) {
                begin = ct.nanoTime() + LONGEST_PAUSE_NANOS;
            }
            while (isLate && begin == 0) {
                ct.pause();
            }
            ct.pause(begin - ct.nanoTime());
        }

        private boolean areVictimsLost(ComputeThread ct) {
            return IntStream.range(0, victims).allMatch(ct.peers()::isLost);
        }

        /** Passes the lock on, and is lost soon, or its lane breaks. */
        private void hold(LockHandle lock, Acquisition acquisition, SplittableRandom random, ComputeThread ct) {
            enter(lock, acquisition, ct);
            int pauses = random.nextInt(2) * random.nextInt(MAX_PAUSES);
            if (ct.id() <= heirs) {
                cluster.simulator().expose(ct.id());
            }
            leave(lock, pauses, ct);
            while (isLoss) {
                ct.pause();
            }
        }

        private void takeTurns(LockHandle lock, SplittableRandom random, ComputeThread ct) {
            for (int i = 0; i < rounds; i++) {
                Acquisition acquisition = Acquisition.TIMED_OUT;
                for (int tries = random.nextInt(MOST_TRIES); tries > 0 && !acquisition.isHeld(); tries--) {
                    acquisition = lock.tryAcquire(0, ct);
                }
                enter(lock, acquisition.isHeld() ? acquisition : lock.acquire(ct), ct);
                if (random.nextInt(3) > 0) {
                    lock.makeConsistent();
                    isInconsistent = false;
                }
                leave(lock, random.nextInt(MAX_PAUSES), ct);
            }
        }

        private void enter(LockHandle lock, Acquisition acquisition, ComputeThread ct) {
            ComputeThread former = inside;
            if (former != null && !isKnownToBeLost(former)) {
                throw new AssertionError(ct + " has the lock, and so has " + former);
            }
            isInconsistent |= former != null;
            if (isInconsistent && acquisition == Acquisition.NORMAL) {
                throw new AssertionError(ct + " does not learn that a holder has died");
            }
            if (acquisition == Acquisition.HOLDER_DIED && all.stream().noneMatch(this::isKnownToBeLost)) {
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

        private boolean isKnownToBeLost(ComputeThread ct) {
            return all.stream().anyMatch(other -> other.peers().isLost(ct.id()));
        }

        private void leave(LockHandle lock, int pauses, ComputeThread ct) {
            for (int i = 0; i < pauses; i++) {
                ct.pause();
            }
            inside = null;
            isPassing = true;
            lock.release(ct);
        }

        void judge() {
            for (int thread = isLoss ? victims : 0; thread < threads; thread++) {
                if (!through.contains(thread)) {
                    throw new AssertionError("thread " + thread + " waits for the lock for ever, behind a holder, "
                            + heirs + " heirs and up to " + places + " tickets that were given up; lost are "
                            + cluster.stoppedThreads());
                }
            }
        }
    }
}
