// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.TroubledCluster.repeated;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.lock.RemoteSemaphore;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads acquire permits of a semaphore, some with a time limit, while a node is lost, a thread is delayed and lanes
 * break. No more may be inside than there are permits, except those that are known to be lost, and each thread that is
 * left must get a permit as often as it tries. At the end all permits are free. If there is one permit only, its
 * holders post to a counter on the other Memory Node, and each must read what the one before has posted.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds how often each tries
 */
public record SemaphoreScenario(int threads, int rounds) implements Scenario {
    private static final int MAX_PAUSES = 3;
    private static final long PATIENCE_NANOS = 20_000;

    /** Rejects parameters that cannot be run. */
    public SemaphoreScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        TroubledCluster troubled = new TroubledCluster(threads, schedule);
        Run run = new Run(1 + schedule.choices(-3).nextInt(threads - 1));
        troubled.cluster()
                .prepared(run::prepare)
                .concluded(run::conclude)
                .run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge(troubled.lost());
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private static final int NOBODY = -1;

        private final int permits;
        private final Set<Integer> inside = new TreeSet<>();
        private final Set<Integer> through = new TreeSet<>();
        private final PostedWords posted = new PostedWords(threads);
        private RdmaPtr<RemoteSemaphore> shared = RdmaPtr.nullPointer();
        private long counter;
        private int lastInside = NOBODY;

        /** What the counter was before the last thread inside changed it, and what that made of it. */
        private long before;

        private long after;

        Run(int permits) {
            this.permits = permits;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                shared = RemoteSemaphore.create(permits, ct);
                posted.allocate(ct);
                counter = ct.allocateOn(1, Long.BYTES);
                ct.write(counter, 0);
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            RemoteSemaphore semaphore = repeated(() -> new RemoteSemaphore(shared, ct), ct);
            for (int i = 0; i < rounds; i++) {
                if (acquire(semaphore, random, ct)) {
                    use(semaphore, random, ct);
                }
            }
            through.add(ct.id());
        }

        private boolean acquire(RemoteSemaphore semaphore, SplittableRandom random, ComputeThread ct) {
            if (random.nextBoolean()) {
                return posted.before(
                        () -> {
                            semaphore.acquire(ct);
                            return true;
                        },
                        ct);
            }
            long patience = random.nextLong(PATIENCE_NANOS);
            long start = ct.nanoTime();
            boolean isAcquired = posted.before(() -> semaphore.tryAcquire(patience, ct), ct);
            if (!isAcquired && ct.nanoTime() - start < patience) {
                throw new AssertionError(
                        ct + " has given up " + (patience - (ct.nanoTime() - start)) + " ns too early");
            }
            return isAcquired;
        }

        private void use(RemoteSemaphore semaphore, SplittableRandom random, ComputeThread ct) {
            enter(ct);
            for (int j = random.nextInt(MAX_PAUSES); j > 0; j--) {
                ct.pause();
            }
            long value = permits == 1 ? countOne(ct) : 0;
            for (boolean isInside = true; isInside; ) {
                if (permits == 1) {
                    ct.post(counter, value);
                }
                inside.remove(ct.id());
                try {
                    semaphore.release(ct);
                    isInside = false;
                } catch (OutcomeUnknownException e) {
                    enter(ct); // what it has posted may be lost, and it has not released the permit
                }
            }
        }

        private void enter(ComputeThread ct) {
            inside.removeIf(ct.peers()::isLost);
            if (inside.size() == permits) {
                throw new AssertionError(
                        ct + " has one of " + permits + " permits, and so have threads " + inside + " already");
            }
            inside.add(ct.id());
        }

        private long countOne(ComputeThread ct) {
            boolean isLastLost = lastInside != NOBODY && ct.peers().isLost(lastInside);
            long found = repeated(() -> ct.read(counter), ct);
            if (found != after && !(isLastLost && found == before)) {
                throw new AssertionError(ct + " has the permit after thread " + lastInside + ", which has counted "
                        + after + ", and reads " + found);
            }
            lastInside = ct.id();
            before = found;
            after = found + 1;
            return after;
        }

        /** No thread uses the semaphore any more. */
        void conclude(ComputeThread ct) {
            int available = new RemoteSemaphore(shared, ct).available(ct);
            if (available != permits) {
                throw new AssertionError("only " + available + " of " + permits + " permits are free at the end");
            }
        }

        void judge(Set<Integer> lost) {
            for (int thread = 0; thread < threads; thread++) {
                if (!lost.contains(thread) && !through.contains(thread)) {
                    throw new AssertionError("thread " + thread + " waits for ever for one of " + permits
                            + " permits, when threads " + lost + " were lost");
                }
            }
        }
    }
}
