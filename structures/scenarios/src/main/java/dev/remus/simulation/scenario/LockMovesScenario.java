// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteQueueLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Each thread moves one view between two locks, some with a time limit. Whenever all have used them, one thread frees
 * them and makes new ones in the same blocks, whose tickets begin again. The others use them as soon as it is done.
 * Lanes break. Two threads must never be inside a lock, they must enter in the order of their tickets, and all must
 * finish. No thread posts anything, so none may learn that what it posted may be lost.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times new locks are made
 * @param creator makes a lock
 * @param opener makes a thread's handle
 * @param isNear whether each node is a Memory Node too, and reads words of its own by loads
 */
public record LockMovesScenario(
        int threads, int rounds, LockHandle.Creator creator, MovableLockHandle.Opener opener, boolean isNear)
        implements Scenario {
    private static final int LOCKS = 2;
    private static final int MOST_USES = 3;
    private static final int MAX_PAUSES = 3;
    private static final int MOST_BREAKS = 8;
    private static final int LATEST_WAIT = 24;
    private static final long PATIENCE_NANOS = 20_000;

    /** Rejects parameters that cannot be run. */
    public LockMovesScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    /** The scenario with a {@link RemoteLock}. */
    public static LockMovesScenario remoteLock(int threads, int rounds) {
        return new LockMovesScenario(threads, rounds, RemoteLockHandle::create, RemoteLockHandle::new, false);
    }

    /** The scenario with a {@link RemoteQueueLock} whose waiters are woken by words in their own memory. */
    public static LockMovesScenario nearQueueLock(int threads, int rounds) {
        return new LockMovesScenario(threads, rounds, QueueLockHandle::create, QueueLockHandle::new, true);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .memoryNodes(0, isNear ? 1 + threads : 1)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .lanes(isNear ? 1 : 2) // there are links enough
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of())
                        .withStrikes(strikes(schedule.choices(-1)).toArray(Strike[]::new)));
        if (isNear) {
            cluster.withLocalReads();
        }
        Run run = new Run(schedule, cluster);
        cluster.prepared(run::prepare).run(run::work);
        run.judge();
    }

    /** After a break a thread may pause. The breaks are the same in each round. */
    private List<Strike> strikes(SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        for (int i = random.nextInt(MOST_BREAKS); i > 0; i--) {
            int thread = random.nextInt(threads);
            int wait = 1 + random.nextInt(LATEST_WAIT);
            strikes.add(new Strike(Fault.BROKEN_LANES, thread, wait));
            if (random.nextBoolean()) {
                strikes.add(new Strike(Fault.PAUSED_THREADS, thread, wait));
            }
        }
        return strikes;
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final Schedule schedule;
        private final SimulatedCluster cluster;
        private final RdmaPtr<?>[] locks = new RdmaPtr<?>[LOCKS];
        private final @Nullable ComputeThread[] inside = new ComputeThread[LOCKS];
        private final long[] lastTickets = new long[LOCKS];
        private final Set<Integer> ended = new TreeSet<>();

        /** The number of times new locks have been made. */
        private int made;

        /** The number of times a thread has finished with the locks of a round. */
        private int finished;

        Run(Schedule schedule, SimulatedCluster cluster) {
            this.schedule = schedule;
            this.cluster = cluster;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                Arrays.setAll(locks, i -> creator.create(ct));
            }
        }

        void work(ComputeThread ct) {
            cluster.simulator().shelter(); // no lane breaks while locks are made
            SplittableRandom random = schedule.choices(ct.id());
            MovableLockHandle view = opener.open(locks[0], ct);
            for (int round = 0; round < rounds; round++) {
                if (ct.id() == round % threads) {
                    awaitAll(round, ct);
                    makeNew(view, ct);
                }
                while (made <= round) {
                    ct.pause();
                }
                cluster.simulator().expose(ct.id());
                for (int i = random.nextInt(1 + MOST_USES); i > 0; i--) {
                    use(random.nextInt(LOCKS), view, random, ct);
                }
                cluster.simulator().shelter();
                finished++;
            }
            ended.add(ct.id());
        }

        private void awaitAll(int round, ComputeThread ct) {
            while (finished < round * threads) {
                ct.pause();
            }
        }

        private void makeNew(MovableLockHandle view, ComputeThread ct) {
            for (int i = 0; i < LOCKS; i++) {
                view.at(locks[i]);
                view.free(ct);
                locks[i] = creator.create(ct); // in the block that is free now
            }
            Arrays.fill(lastTickets, -1);
            made++;
        }

        private void use(int lock, MovableLockHandle view, SplittableRandom random, ComputeThread ct) {
            view.at(locks[lock]);
            long nanos = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(PATIENCE_NANOS);
            try {
                if (view.tryAcquire(nanos, ct).isHeld()) {
                    enter(lock, view, ct);
                    for (int i = random.nextInt(MAX_PAUSES); i > 0; i--) {
                        ct.pause();
                    }
                    inside[lock] = null;
                    view.release(ct);
                }
            } catch (OutcomeUnknownException e) {
                throw new AssertionError(ct + " has posted nothing, and learns that it may be lost", e);
            }
        }

        private void enter(int lock, MovableLockHandle view, ComputeThread ct) {
            if (inside[lock] != null || view.ticket() <= lastTickets[lock]) {
                throw new AssertionError(ct + " has lock " + lock + " with ticket " + view.ticket() + ", and "
                        + inside[lock] + " is inside; the last ticket was " + lastTickets[lock]);
            }
            inside[lock] = ct;
            lastTickets[lock] = view.ticket();
        }

        void judge() {
            for (int thread = 0; thread < threads; thread++) {
                if (!ended.contains(thread)) {
                    throw new AssertionError("thread " + thread + " has not ended after lanes broke");
                }
            }
        }
    }
}
