// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.TroubledCluster.repeated;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.lock.Countdown;
import dev.remus.lock.RemoteLatch;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Threads count down one latch after another and wait for each, some with a time limit, while a node is lost, a thread
 * is delayed and lanes break. Before it counts, each thread posts the number of its counts to a word of its own on the
 * other Memory Node. Once a latch is open, the words of all threads that have counted must show that; the others must
 * be lost, and their words stay as they are. Each thread that is left must pass all latches.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of latches
 */
public record LatchScenario(int threads, int rounds) implements Scenario {
    private static final int MAX_COUNT = 2;
    private static final long PATIENCE_NANOS = 20_000;

    /** Rejects parameters that cannot be run. */
    public LatchScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        TroubledCluster troubled = new TroubledCluster(threads, schedule);
        Run run = new Run(schedule.choices(-3));
        troubled.cluster().prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge(troubled.lost());
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final int[][] counts = new int[rounds][threads];
        private final List<RdmaPtr<RemoteLatch>> latches = new ArrayList<>();

        /** How often each thread has begun to count, in all latches. */
        private final int[] begun = new int[threads];

        /** How often all threads together have counted down each latch, and know it. */
        private final int[] done = new int[rounds];

        /** What the word of a thread was when another one went on without it, -1 before. */
        private final long[] left = new long[threads];

        private final Set<Integer> missing = new TreeSet<>();
        private final Set<Integer> through = new TreeSet<>();
        private final PostedWords posted = new PostedWords(threads);
        private long words;

        Run(SplittableRandom random) {
            for (int[] ofLatch : counts) {
                Arrays.setAll(ofLatch, i -> random.nextInt(MAX_COUNT + 1));
            }
            Arrays.fill(left, -1);
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                for (int[] ofLatch : counts) {
                    latches.add(RemoteLatch.create(ofLatch, ct));
                }
                posted.allocate(ct);
                words = ct.allocateOn(1, (long) threads * Long.BYTES);
                for (int i = 0; i < threads; i++) {
                    ct.write(word(i), 0);
                }
            }
        }

        private long word(int thread) {
            return words + (long) thread * Long.BYTES;
        }

        private int counts(int round, int thread) {
            int sum = 0;
            for (int i = 0; i <= round; i++) {
                sum += counts[i][thread];
            }
            return sum;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            for (int i = 0; i < rounds; i++) {
                RemoteLatch latch = opened(latches.get(i), ct);
                for (int j = 0; j < counts[i][ct.id()]; j++) {
                    count(latch, ct);
                    done[i]++;
                }
                Countdown countdown = await(i, latch, random, ct);
                if ((countdown == Countdown.WITHOUT_LOST)
                        != IntStream.range(0, threads).anyMatch(thread -> latch.owed(thread) > 0)) {
                    throw new AssertionError(ct + " has passed latch " + i + " as " + countdown + ", wrongly");
                }
                for (int thread = 0; thread < threads; thread++) {
                    check(thread, i, latch, ct);
                }
            }
            through.add(ct.id());
        }

        private static RemoteLatch opened(RdmaPtr<RemoteLatch> shared, ComputeThread ct) {
            return repeated(() -> new RemoteLatch(shared, ct), ct);
        }

        private void count(RemoteLatch latch, ComputeThread ct) {
            begun[ct.id()]++;
            while (true) {
                ct.post(word(ct.id()), begun[ct.id()]);
                try {
                    latch.countDown(ct);
                    return;
                } catch (OutcomeUnknownException e) {
                    ct.pause(); // what it has posted may be lost, and it has not counted
                }
            }
        }

        private Countdown await(int round, RemoteLatch latch, SplittableRandom random, ComputeThread ct) {
            if (done[round] == Arrays.stream(counts[round]).sum()) {
                Countdown countdown = posted.before(() -> latch.tryAwait(0, ct), ct);
                if (!countdown.isOpen()) {
                    throw new AssertionError(ct + " finds latch " + round + " closed, after all have counted it down");
                }
                return countdown;
            }
            while (random.nextBoolean()) {
                long patience = random.nextLong(PATIENCE_NANOS);
                long start = ct.nanoTime();
                Countdown countdown = posted.before(() -> latch.tryAwait(patience, ct), ct);
                if (countdown.isOpen()) {
                    return countdown;
                }
                if (ct.nanoTime() - start < patience) {
                    throw new AssertionError(ct + " has given up too early");
                }
            }
            return posted.before(() -> latch.await(ct), ct);
        }

        private void check(int thread, int round, RemoteLatch latch, ComputeThread ct) {
            long found = repeated(() -> ct.read(word(thread)), ct);
            if (latch.owed(thread) == 0) {
                if (counts[round][thread] > 0 && found < counts(round, thread)) {
                    throw new AssertionError(ct + " has passed latch " + round + ", which thread " + thread
                            + " has counted down, and reads its word " + found + " before its count "
                            + counts(round, thread));
                }
                return;
            }
            if (left[thread] >= 0 && left[thread] != found) {
                throw new AssertionError("the word of thread " + thread
                        + ", which was given up as lost, has changed from " + left[thread] + " to " + found);
            }
            left[thread] = found;
            missing.add(thread);
        }

        void judge(Set<Integer> lost) {
            if (!lost.containsAll(missing)) {
                throw new AssertionError("threads " + missing + " were not waited for; lost are " + lost);
            }
            for (int thread = 0; thread < threads; thread++) {
                if (!lost.contains(thread) && !through.contains(thread)) {
                    throw new AssertionError(
                            "thread " + thread + " waits for ever at a latch, when threads " + lost + " were lost");
                }
            }
        }
    }
}
