// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
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
import org.jspecify.annotations.Nullable;

/**
 * One thread keeps a queue lock until all others have tried in vain to get it. Then all take it in turn. In half of the
 * runs lanes break as threads draw their tickets, which leaves tickets in the line that are never claimed: a thread
 * behind one must give up in time all the same. In the other half threads are slow to claim theirs: as long as no
 * thread waits for 100 ms, no ticket may be taken for abandoned. Two threads must never be inside.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even; each is on a Compute Node of its own
 * @param rounds the number of times each tries in vain, and the number of times each takes the lock at the end
 */
public record QueueLockPatienceScenario(int threads, int rounds) implements Scenario {
    private static final int KEEPER = 0;
    private static final int MAX_DELAYS = 8;
    private static final int LATEST_WAIT = 40;
    private static final int LATEST_DRAW = 3;
    private static final int MAX_PAUSES = 3;
    private static final long PATIENCE_NANOS = 20_000;

    /** An unclaimed ticket is presumed abandoned after this time. */
    private static final long UNCLAIMED_NANOS = 100_000_000;

    /** Rejects parameters that cannot be run. */
    public QueueLockPatienceScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        boolean breaks = random.nextBoolean();
        List<Strike> strikes = breaks ? breaks(random) : delays(random);
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        Run run = new Run(schedule, cluster);
        cluster.prepared(run::prepare).run(run::work);
        run.judge(breaks);
    }

    /** One for each thread at most: more tickets than the lock has places could not be drawn while it is kept. */
    private List<Strike> breaks(SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            if (thread != KEEPER && random.nextBoolean()) {
                strikes.add(new Strike(Fault.BROKEN_LANES, thread, 1 + random.nextInt(LATEST_DRAW)));
            }
        }
        return strikes;
    }

    private List<Strike> delays(SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        for (int i = random.nextInt(MAX_DELAYS); i > 0; i--) {
            Fault delay = random.nextBoolean() ? Fault.PAUSED_THREADS : Fault.LATE_REQUESTS;
            strikes.add(new Strike(delay, random.nextInt(threads), 1 + random.nextInt(LATEST_WAIT)));
        }
        return strikes;
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final Schedule schedule;
        private final SimulatedCluster cluster;
        private final Set<Integer> ended = new TreeSet<>();

        /** The tickets that were held or given up. */
        private final Set<Long> tickets = new TreeSet<>();

        private RdmaPtr<?> pointer = RdmaPtr.nullPointer();
        private boolean isKept;
        private int haveTriedInVain;
        private @Nullable ComputeThread inside;
        private long lastTicket = -1;
        private long longestWait;

        Run(Schedule schedule, SimulatedCluster cluster) {
            this.schedule = schedule;
            this.cluster = cluster;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == KEEPER) {
                pointer = QueueLockHandle.create(ct);
            }
        }

        void work(ComputeThread ct) {
            cluster.simulator().shelter(); // strikes count from a moment of its role
            SplittableRandom random = schedule.choices(ct.id());
            RemoteQueueLock lock = new RemoteQueueLock(threads);
            lock.at(pointer);
            if (ct.id() == KEEPER) {
                take(Long.MAX_VALUE, lock, ct);
                isKept = true;
                while (haveTriedInVain < threads - 1) {
                    ct.pause();
                }
                cluster.simulator().expose(ct.id());
                leave(lock, ct);
            } else {
                tryInVain(lock, random, ct);
            }
            for (int i = 0; i < rounds; i++) {
                take(Long.MAX_VALUE, lock, ct);
                for (int pauses = random.nextInt(MAX_PAUSES); pauses > 0; pauses--) {
                    ct.pause();
                }
                leave(lock, ct);
            }
            ended.add(ct.id());
        }

        private void tryInVain(RemoteQueueLock lock, SplittableRandom random, ComputeThread ct) {
            while (!isKept) {
                ct.pause();
            }
            cluster.simulator().expose(ct.id());
            for (int i = 0; i < rounds; i++) {
                if (take(random.nextLong(PATIENCE_NANOS), lock, ct)) {
                    throw new AssertionError(ct + " has the lock, and so has thread " + KEEPER);
                }
            }
            haveTriedInVain++;
        }

        private boolean take(long nanos, RemoteQueueLock lock, ComputeThread ct) {
            long start = ct.nanoTime();
            boolean isHeld = lock.tryAcquire(nanos, ct).isHeld();
            longestWait = Math.max(longestWait, ct.nanoTime() - start);
            tickets.add(lock.ticket());
            if (isHeld) {
                if (inside != null || lock.ticket() <= lastTicket) {
                    throw new AssertionError(ct + " has the lock with ticket " + lock.ticket() + ", and " + inside
                            + " is inside; the last ticket was " + lastTicket);
                }
                inside = ct;
                lastTicket = lock.ticket();
            }
            return isHeld;
        }

        private void leave(RemoteQueueLock lock, ComputeThread ct) {
            inside = null;
            lock.release(ct);
        }

        void judge(boolean breaks) {
            for (int thread = 0; thread < threads; thread++) {
                if (!ended.contains(thread)) {
                    throw new AssertionError("thread " + thread + " waits for ever, or has not given up in time");
                }
            }
            if (!breaks && longestWait < UNCLAIMED_NANOS && tickets.size() <= lastTicket) {
                throw new AssertionError("only the tickets " + tickets + " were held or given up, and no thread has"
                        + " waited for longer than " + longestWait + " ns");
            }
        }
    }
}
