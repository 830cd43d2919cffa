// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.SplittableRandom;

/**
 * One thread keeps a lock until all others have tried to get it for some time and given up. They must not give up
 * sooner. A thread that comes back must still have its place, even if it has used another lock through the same view
 * meanwhile. When the lock is released at last, all get it, and from then on no ticket is skipped, unless a thread is
 * lost or a lane breaks.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times each takes the lock at the end
 */
public record LockPatienceScenario(int threads, int rounds) implements Scenario {
    private static final long MIN_NANOS = 20_000;
    private static final long MAX_NANOS = 60_000;

    /** Rejects parameters that cannot be run. */
    public LockPatienceScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(
                Clusters.drawn(threads, schedule.choices(-1)).build(), schedule);
        Run run = new Run(cluster);
        cluster.prepared(this::createLocks).run(ct -> {
            RemoteLock lock = new RemoteLock(threads);
            lock.at(first(ct));
            if (ct.id() == 0) {
                lock.acquire(ct);
            }
            ct.barrier();
            if (ct.id() == 0) {
                run.keepUntilAllHaveGivenUp(lock, ct);
            } else {
                run.giveUpAndComeBack(lock, schedule.choices(ct.id()), ct);
            }
            ct.barrier();
            run.takeInTurn(lock, ct);
        });
    }

    private void createLocks(ComputeThread ct) {
        if (ct.id() == 0) {
            long block = ct.allocate(2L * RemoteLock.bytes(threads));
            RemoteLock lock = new RemoteLock(threads);
            for (int i = 0; i < 2; i++) {
                lock.at(block + (long) i * RemoteLock.bytes(threads));
                lock.init(ct);
            }
            ct.root().set(new RdmaPtr<>(block));
        }
    }

    private static long first(ComputeThread ct) {
        return ct.root().get().raw();
    }

    private long second(ComputeThread ct) {
        return first(ct) + RemoteLock.bytes(threads);
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final SimulatedCluster cluster;
        private int haveGivenUp;
        private long lastTicket = -1;

        Run(SimulatedCluster cluster) {
            this.cluster = cluster;
        }

        void keepUntilAllHaveGivenUp(RemoteLock lock, ComputeThread ct) {
            while (haveGivenUp < threads - 1) {
                ct.pause();
            }
            lock.release(ct);
        }

        void giveUpAndComeBack(RemoteLock lock, SplittableRandom random, ComputeThread ct) {
            tryInVain(lock, random.nextLong(MIN_NANOS, MAX_NANOS), ct);
            long place = lock.ticket();
            tryInVain(lock, 0, ct);
            checkPlace(place, lock, "after it had given up", ct);
            lock.at(second(ct));
            lock.acquire(ct);
            lock.release(ct);
            lock.at(first(ct));
            tryInVain(lock, 0, ct);
            checkPlace(place, lock, "after it had taken another lock through the same view", ct);
            haveGivenUp++;
            lock.acquire(ct);
            lock.release(ct);
        }

        private static void tryInVain(RemoteLock lock, long nanos, ComputeThread ct) {
            long start = ct.nanoTime();
            boolean acquired = lock.tryAcquire(nanos, ct).isHeld();
            long waited = ct.nanoTime() - start;
            if (acquired) {
                throw new AssertionError(ct + " has the lock, and so has thread 0");
            }
            if (waited < nanos) {
                throw new AssertionError(ct + " waited " + waited + " ns for the lock instead of " + nanos + " ns");
            }
        }

        private static void checkPlace(long place, RemoteLock lock, String when, ComputeThread ct) {
            if (lock.ticket() != place) {
                throw new AssertionError(
                        ct + " came back " + when + " and has ticket " + lock.ticket() + " instead of " + place);
            }
        }

        /** No thread gives up here. */
        void takeInTurn(RemoteLock lock, ComputeThread ct) {
            for (int i = 0; i < rounds; i++) {
                lock.acquire(ct);
                if (lastTicket >= 0 && lock.ticket() != lastTicket + 1 && cluster.isOnlyDelayed()) {
                    throw new AssertionError(ct + " has the lock with ticket " + lock.ticket() + " after " + lastTicket
                            + ", although no thread has given up since");
                }
                lastTicket = lock.ticket();
                lock.release(ct);
            }
        }
    }
}
