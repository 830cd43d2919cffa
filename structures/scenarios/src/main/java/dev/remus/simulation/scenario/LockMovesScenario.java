// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.InterruptedWaitException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.RemoteCohortLock;
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
 * Lanes break, or threads are interrupted. Two threads must never be inside a lock, they must enter in the order of
 * their tickets, and all must finish. No thread posts anything, so none may learn that what it posted may be lost.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times new locks are made
 * @param creator makes a lock
 * @param opener makes a thread's handle
 * @param isNear whether each node is a Memory Node too, and reads words of its own by loads
 * @param areTogether whether the threads are on two nodes, where they are only interrupted, since those of a node share
 *     its lanes; else each is on a node of its own
 */
public record LockMovesScenario(
        int threads,
        int rounds,
        LockHandle.Creator creator,
        MovableLockHandle.Opener opener,
        boolean isNear,
        boolean areTogether)
        implements Scenario {
    private static final int LOCKS = 2;
    private static final int MOST_USES = 3;
    private static final int MAX_PAUSES = 3;
    private static final int MOST_BREAKS = 8;
    private static final int LATEST_WAIT = 24;
    private static final long PATIENCE_NANOS = 20_000;

    /** Longer than tickets that nobody claims delay a lock: each is polled 128 times, at intervals of up to 33 ms. */
    private static final long LONG_NANOS = 30_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public LockMovesScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    /** The scenario with a {@link RemoteLock}. */
    public static LockMovesScenario remoteLock(int threads, int rounds) {
        return new LockMovesScenario(threads, rounds, RemoteLockHandle::create, RemoteLockHandle::new, false, false);
    }

    /** The scenario with a {@link RemoteQueueLock} whose waiters are woken by words in their own memory. */
    public static LockMovesScenario nearQueueLock(int threads, int rounds) {
        return new LockMovesScenario(threads, rounds, QueueLockHandle::create, QueueLockHandle::new, true, false);
    }

    /** The scenario with a {@link RemoteCohortLock}. */
    public static LockMovesScenario cohortLock(int threads, int rounds) {
        return new LockMovesScenario(threads, rounds, CohortLockHandle::create, CohortLockHandle::new, false, true);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        boolean interrupts = areTogether || schedule.choices(-2).nextBoolean();
        Fault fault = interrupts ? Fault.INTERRUPTED_THREADS : Fault.BROKEN_LANES;
        int nodes = areTogether ? 2 : threads;
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .memoryNodes(0, isNear ? 1 + nodes : 1)
                        .computeNodes(2, 1 + nodes)
                        .threadsPerNode(threads / nodes)
                        .lanes(isNear ? 1 : 2) // there are links enough
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of())
                        .withStrikes(strikes(fault, schedule.choices(-1)).toArray(Strike[]::new)));
        cluster.simulator().quietAfter(LONG_NANOS);
        if (isNear) {
            cluster.withLocalReads();
        }
        Run run = new Run(schedule, cluster);
        cluster.prepared(run::prepare).run(run::work);
        run.judge();
    }

    /** After a break or an interrupt a thread may pause. They are the same in each round. */
    private List<Strike> strikes(Fault fault, SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        for (int i = random.nextInt(MOST_BREAKS); i > 0; i--) {
            int thread = random.nextInt(threads);
            int wait = 1 + random.nextInt(LATEST_WAIT);
            strikes.add(new Strike(fault, thread, wait));
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
                Interrupts.untilDone(ct::pause); // an interrupt that is due
                Interrupts.untilDone(ct::place); // what an interrupted wait has left behind
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
                        Interrupts.untilDone(ct::pause);
                    }
                    inside[lock] = null;
                    Interrupts.untilDone(() -> view.release(ct)); // one that throws has not begun
                }
            } catch (OutcomeUnknownException e) {
                throw new AssertionError(ct + " has posted nothing, and learns that it may be lost", e);
            } catch (InterruptedWaitException e) {
                // it has left the line
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
