// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Threads meet at a barrier again and again. No thread may leave it before all have arrived, and each that leaves sees
 * what the others wrote before they arrived, even by a WRITE that was only posted. Half of the runs begin shortly
 * before the control barrier's generations wrap around. If one of them stops, the others wait.
 *
 * <p>After the last round every second thread ends. The others see what it wrote before, even if it was only posted.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times they meet
 * @param opener makes a thread's handle to the barrier
 */
public record BarrierScenario(int threads, int rounds, Opener opener) implements Scenario {
    private static final int LONGEST_DELAY = 3;
    private static final int SHARED_BYTES = 64;

    /** The word of a control barrier whose generations wrap around after the next two. */
    private static final long SOON_THE_FIRST_AGAIN = (1L << 31) - 2 << 23;

    /** The barrier that is tested. */
    @FunctionalInterface
    public interface Barrier {
        /** Arrives, and returns when all threads of the cluster have. */
        void await(ComputeThread ct);
    }

    /** Makes handles. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens a barrier.
         *
         * @param shared a block of 64 zero bytes that it may use, the same for all threads
         */
        Barrier open(RdmaPtr<?> shared);
    }

    /** Rejects parameters that cannot be run. */
    public BarrierScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    /** The scenario with the control barrier. */
    public static BarrierScenario control(int threads, int rounds) {
        return new BarrierScenario(threads, rounds, shared -> ComputeThread::barrier);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        int[] arrived = new int[rounds + 1];
        List<Integer> ended = new ArrayList<>();
        SimulatedCluster cluster = new SimulatedCluster(
                Clusters.drawn(threads, schedule.choices(-1)).build(), schedule);
        if (schedule.choices(-2).nextBoolean()) {
            cluster.beginningWith(SegmentLayout.header(0, 0, SegmentHeader.BARRIER), SOON_THE_FIRST_AGAIN);
        }
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(new RdmaPtr<>(zeroed(SHARED_BYTES + (long) threads * Long.BYTES, ct)));
                    }
                })
                .run(ct -> {
                    long root = ct.root().get().raw();
                    Barrier barrier = opener.open(new RdmaPtr<>(root));
                    meet(barrier, root + SHARED_BYTES, arrived, schedule.choices(ct.id()), ct);
                    end(root + SHARED_BYTES, ended, ct);
                });
    }

    private static long zeroed(long bytes, ComputeThread ct) {
        long block = ct.allocate(bytes);
        for (long at = 0; at < bytes; at += Long.BYTES) {
            ct.write(block + at, 0);
        }
        return block;
    }

    /** @param words a word for each thread, in which it writes the round before it arrives */
    private void meet(Barrier barrier, long words, int[] arrived, SplittableRandom random, ComputeThread ct) {
        for (int round = 1; round <= rounds; round++) {
            for (int i = random.nextInt(LONGEST_DELAY); i > 0; i--) {
                ct.pause();
            }
            ct.post(words + (long) ct.id() * Long.BYTES, round);
            arrived[round]++;
            barrier.await(ct);
            if (arrived[round] < threads) {
                throw new AssertionError(ct + " left the barrier of round " + round + " when " + arrived[round] + " of "
                        + threads + " threads had arrived");
            }
            checkWords(words, round, ct);
        }
    }

    private void end(long words, List<Integer> ended, ComputeThread ct) {
        if (ct.id() % 2 == 0) {
            ct.post(words + (long) ct.id() * Long.BYTES, rounds + 1L);
            ct.close(); // as its node does again
            ended.add(ct.id());
            return;
        }
        for (int i = 0; i < threads / 2; i++) {
            while (ended.size() == i) {
                ct.pause();
            }
            long written = ct.read(words + (long) ended.get(i) * Long.BYTES);
            if (written != rounds + 1) {
                throw new AssertionError(ct + " reads " + written + " where thread " + ended.get(i) + " had written "
                        + (rounds + 1) + " before it ended");
            }
        }
    }

    private void checkWords(long words, int round, ComputeThread ct) {
        for (int other = 0; other < threads; other++) {
            long written = ct.read(words + (long) other * Long.BYTES);
            if (written < round) {
                throw new AssertionError(ct + " left the barrier of round " + round + " and read " + written
                        + " where thread " + other + " had written " + round + " before it arrived");
            }
        }
    }
}
