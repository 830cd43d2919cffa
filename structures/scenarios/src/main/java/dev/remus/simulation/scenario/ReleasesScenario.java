// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.UnsettledException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.Cleanup;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Pairs of threads pass on the locks of a row while their lanes break. One takes all of them, posts their releases
 * together or makes them one by one, reads a word at most, or places, and does nothing but pause until the other one
 * has had them. So a release that is lost with its lane must be made once more while its thread pauses: else the other
 * one waits for ever. What follows the releases does not fail, since nothing else may be lost.
 *
 * <p>Or a lane cannot be connected for a while. Then what needs it may fail, also a release, which must be made all the
 * same. So must a {@link Cleanup}, which is pending until then: a thread that has placed has left none behind.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds how often each pair passes its row on
 * @param locks the number of locks of a row
 * @param areStuck whether lanes that break cannot be connected for a while
 */
public record ReleasesScenario(int threads, int rounds, int locks, boolean areStuck) implements Scenario {
    private static final int MOST_STUCK = 4;
    private static final int LATEST_WAIT = 40;

    /** Many, so that the watch of a node seldom meets a stuck one often enough to give up. */
    private static final int LANES = 4;

    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

    /** Rejects parameters that cannot be run. */
    public ReleasesScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1 || locks < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds + ", locks " + locks
                    + ": needs an even number of threads, and at least one round and one lock");
        }
    }

    /** The scenario with lanes that can be connected at once. */
    public ReleasesScenario(int threads, int rounds, int locks) {
        this(threads, rounds, locks, false);
    }

    /** The scenario with lanes that cannot be connected for a while. */
    public static ReleasesScenario stuck(int threads, int rounds, int locks) {
        return new ReleasesScenario(threads, rounds, locks, true);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SimulatedCluster cluster = areStuck
                ? drawStuck(schedule)
                : new BreakingCluster(threads, Fault.BROKEN_LANES, false, schedule).cluster();
        Run run = new Run();
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    private SimulatedCluster drawStuck(Schedule schedule) {
        SplittableRandom random = schedule.choices(-1);
        Strike[] strikes = new Strike[1 + random.nextInt(MOST_STUCK)];
        for (int i = 0; i < strikes.length; i++) {
            strikes[i] = new Strike(Fault.STUCK_LANES, random.nextInt(threads), 1 + random.nextInt(LATEST_WAIT));
        }
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .lanes(LANES)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .lossTimeout(LOSS_TIMEOUT)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes));
        cluster.simulator().quietAfter(QUIET_NANOS);
        return cluster;
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        /** The locks, a row for each pair. */
        private final long[][] rows = new long[threads / 2][locks];

        /** The thread of each pair that takes the row next. */
        private final int[] turns = new int[threads / 2];

        private final Set<Integer> ended = new TreeSet<>();

        /** The word that the cleanups of each thread change. */
        private final long[] cleaned = new long[threads];

        /** How many cleanups of each thread have begun, and are done. */
        private final int[] begunCleanups = new int[threads];

        private final int[] doneCleanups = new int[threads];

        /** The threads of pairs of which one has lost its node. */
        private final Set<Integer> abandoned = new TreeSet<>();

        void prepare(ComputeThread ct) {
            cleaned[ct.id()] = ct.allocate(Long.BYTES);
            if (ct.id() == 0) {
                for (int row = 0; row < rows.length; row++) {
                    turns[row] = 2 * row;
                    for (int i = 0; i < locks; i++) {
                        rows[row][i] = ct.allocate(Long.BYTES);
                        ct.write(rows[row][i], LockWords.FREE);
                    }
                }
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            try {
                passOn(random, ct);
                ended.add(ct.id());
                while (!areAllOver()) {
                    ct.pause(); // a break while a thread closes would end its node
                }
            } catch (FabricException e) {
                if (areStuck) { // for so long that the node has ended
                    abandoned.add(ct.id());
                    abandoned.add(ct.id() ^ 1);
                }
                throw e;
            }
        }

        private boolean areAllOver() {
            for (int thread = 0; thread < threads; thread++) {
                if (!ended.contains(thread) && !abandoned.contains(thread)) {
                    return false;
                }
            }
            return true;
        }

        private void passOn(SplittableRandom random, ComputeThread ct) {
            int row = ct.id() / 2;
            boolean posts = areStuck ? random.nextBoolean() : ct.id() % 2 == 0;
            for (int i = 0; i < rounds; i++) {
                while (turns[row] != ct.id()) {
                    if (abandoned.contains(ct.id())) {
                        return;
                    }
                    ct.pause();
                }
                long mark = ct.lockWords().newMark();
                for (long lock : rows[row]) {
                    acquire(lock, mark, ct);
                }
                cleanUpAtTimes(random, ct);
                for (long lock : rows[row]) {
                    if (posts) {
                        ct.lockWords().postRelease(lock, mark);
                    } else {
                        release(lock, mark, ct);
                    }
                }
                cleanUpAtTimes(random, ct);
                int next = random.nextInt(4);
                if (next < 2) {
                    readOrPlace(next == 0, rows[row][0], ct);
                }
                turns[row] = ct.id() ^ 1;
            }
        }

        private void cleanUpAtTimes(SplittableRandom random, ComputeThread ct) {
            if (areStuck && random.nextBoolean()) {
                int number = ++begunCleanups[ct.id()];
                Cleanup.run(() -> cleanUp(number, ct), ct);
                checkWhetherCleanupsArePending(ct);
            }
        }

        private void cleanUp(int number, ComputeThread ct) {
            try {
                ct.write(cleaned[ct.id()], number);
                doneCleanups[ct.id()] = number;
            } catch (NodeLostException e) {
                doneCleanups[ct.id()] = number; // it is dropped
                throw e;
            }
        }

        private void checkWhetherCleanupsArePending(ComputeThread ct) {
            boolean areLeft = doneCleanups[ct.id()] < begunCleanups[ct.id()];
            if (Cleanup.isPending(ct) != areLeft) {
                throw new AssertionError(ct + " has done " + doneCleanups[ct.id()] + " of " + begunCleanups[ct.id()]
                        + " cleanups, and says that " + (areLeft ? "none is" : "some are") + " pending");
            }
        }

        private void release(long lock, long mark, ComputeThread ct) {
            try {
                ct.lockWords().release(lock, mark);
            } catch (UnsettledException e) {
                if (!areStuck) {
                    throw e;
                }
            }
        }

        /**
         * A READ places what the thread has posted on the same lane, and not what it has posted on another one. Both
         * report no loss, since they repeat the releases.
         */
        private void readOrPlace(boolean reads, long lock, ComputeThread ct) {
            try {
                if (reads) {
                    ct.read(lock);
                } else {
                    ct.place();
                    if (doneCleanups[ct.id()] < begunCleanups[ct.id()]) {
                        throw new AssertionError(ct + " has placed all, and left a cleanup behind");
                    }
                }
            } catch (OutcomeUnknownException | UnsettledException e) {
                if (!areStuck) {
                    throw new AssertionError(ct + " fails, although only releases may be lost", e);
                }
            }
            checkWhetherCleanupsArePending(ct);
        }

        private void acquire(long lock, long mark, ComputeThread ct) {
            while (!abandoned.contains(ct.id())) {
                try {
                    if (ct.lockWords().tryAcquire(lock, mark) == LockWords.FREE) {
                        return;
                    }
                } catch (OutcomeUnknownException | UnsettledException e) {
                    // this thread does not hold it
                }
                ct.pause();
            }
        }

        void judge() {
            if (!areAllOver()) {
                throw new AssertionError("of each pair, one thread waits for a lock that the other one has released: "
                        + "only the threads " + ended + " have ended");
            }
        }
    }
}
