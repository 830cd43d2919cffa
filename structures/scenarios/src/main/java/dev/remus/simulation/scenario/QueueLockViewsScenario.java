// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.lock.RemoteQueueLock;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Each thread uses two queue locks through one view, with words near the waiters. First one thread keeps a lock. The
 * others try in vain to get it, and use the other lock in between. They must not give up too soon, and keep their
 * places for as long as the lock is held. Then all use both locks, some with a time limit. Two threads must never be
 * inside, they must enter in the order of their tickets, and each thread has one word for each lock at most.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times each tries in vain at first, and then tries to get some lock
 */
public record QueueLockViewsScenario(int threads, int rounds) implements Scenario {
    private static final int LOCKS = 2;
    private static final int KEEPER = 0;
    private static final int MAX_PAUSES = 3;
    private static final long PATIENCE_NANOS = 20_000;
    private static final long BYTES_OF_A_WORD = 64;

    /** Rejects parameters that cannot be run. */
    public QueueLockViewsScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Run run = new Run(schedule);
        new SimulatedCluster(Clusters.drawn(threads, schedule.choices(-1)).build(), schedule)
                .withLocalReads()
                .prepared(run::prepare)
                .concluded(run::checkMemory)
                .run(run::work);
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final Schedule schedule;
        private final long[] locks = new long[LOCKS];
        private final @Nullable ComputeThread[] inside = new ComputeThread[LOCKS];
        private final long[] lastTickets = new long[LOCKS];
        private long used;
        private boolean isKept;
        private int haveTriedInVain;

        Run(Schedule schedule) {
            this.schedule = schedule;
            Arrays.fill(lastTickets, -1);
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == KEEPER) {
                for (int i = 0; i < LOCKS; i++) {
                    RemoteQueueLock lock = new RemoteQueueLock(threads);
                    lock.allocate(ct);
                    lock.init(ct);
                    locks[i] = lock.pointer();
                }
                used = used(ct);
            }
        }

        void work(ComputeThread ct) {
            SplittableRandom random = schedule.choices(ct.id());
            RemoteQueueLock view = new RemoteQueueLock(threads);
            if (ct.id() == KEEPER) {
                keep(view, ct);
            } else {
                tryInVain(view, random, ct);
            }
            for (int i = 0; i < rounds; i++) {
                use(random.nextInt(LOCKS), random.nextBoolean() ? Long.MAX_VALUE : PATIENCE_NANOS, view, random, ct);
            }
        }

        private void keep(RemoteQueueLock view, ComputeThread ct) {
            view.at(locks[0]);
            view.acquire(ct);
            enter(0, view, ct);
            isKept = true;
            while (haveTriedInVain < threads - 1) {
                ct.pause();
            }
            leave(0, view, ct);
        }

        private void tryInVain(RemoteQueueLock view, SplittableRandom random, ComputeThread ct) {
            while (!isKept) {
                ct.pause();
            }
            long place = -1;
            for (int i = 0; i < rounds; i++) {
                view.at(locks[0]);
                long nanos = random.nextLong(PATIENCE_NANOS);
                long start = ct.nanoTime();
                if (view.tryAcquire(nanos, ct).isHeld()) {
                    throw new AssertionError(ct + " has the lock, and so has thread " + KEEPER);
                }
                long waited = ct.nanoTime() - start;
                if (waited < nanos) {
                    throw new AssertionError(ct + " waited " + waited + " ns instead of " + nanos + " ns");
                }
                if (place >= 0 && place != view.ticket()) {
                    throw new AssertionError(
                            ct + " came back to the lock and has ticket " + view.ticket() + " instead of " + place);
                }
                place = view.ticket();
                if (random.nextBoolean()) {
                    use(1, Long.MAX_VALUE, view, random, ct);
                }
            }
            haveTriedInVain++;
        }

        private void use(int lock, long nanos, RemoteQueueLock view, SplittableRandom random, ComputeThread ct) {
            view.at(locks[lock]);
            if (view.tryAcquire(nanos, ct).isHeld()) {
                enter(lock, view, ct);
                for (int i = random.nextInt(MAX_PAUSES); i > 0; i--) {
                    ct.pause();
                }
                leave(lock, view, ct);
            }
        }

        private void enter(int lock, RemoteQueueLock view, ComputeThread ct) {
            if (inside[lock] != null || view.ticket() <= lastTickets[lock]) {
                throw new AssertionError(ct + " has lock " + lock + " with ticket " + view.ticket() + ", and "
                        + inside[lock] + " is inside; the last ticket was " + lastTickets[lock]);
            }
            inside[lock] = ct;
            lastTickets[lock] = view.ticket();
        }

        private void leave(int lock, RemoteQueueLock view, ComputeThread ct) {
            inside[lock] = null;
            view.release(ct);
        }

        private static long used(ComputeThread ct) {
            return SegmentUse.of(ct).stream().mapToLong(SegmentUse::used).sum();
        }

        void checkMemory(ComputeThread ct) {
            long bytes = ct.id() == KEEPER ? used(ct) - used : 0;
            if (bytes > threads * (LOCKS * BYTES_OF_A_WORD)) {
                throw new AssertionError(bytes + " bytes were allocated for the words of " + threads + " threads and "
                        + LOCKS + " locks");
            }
        }
    }
}
