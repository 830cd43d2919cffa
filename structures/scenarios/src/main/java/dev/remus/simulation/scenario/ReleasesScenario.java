// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.node.ComputeThread;
import dev.remus.node.LockWords;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Pairs of threads pass on the locks of a row while their lanes break. One takes all of them, posts their releases
 * together, reads a word at most, and does nothing but pause until the other one has had them. So a release that is
 * lost with its lane must be made once more while its thread pauses: else the other one waits for ever.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds how often each pair passes its row on
 * @param locks the number of locks of a row
 */
public record ReleasesScenario(int threads, int rounds, int locks) implements Scenario {
    /** Rejects parameters that cannot be run. */
    public ReleasesScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1 || locks < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds + ", locks " + locks
                    + ": needs an even number of threads, and at least one round and one lock");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        BreakingCluster breaking = new BreakingCluster(threads, Fault.BROKEN_LANES, false, schedule);
        Run run = new Run();
        breaking.cluster().prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        /** The locks, a row for each pair. */
        private final long[][] rows = new long[threads / 2][locks];

        /** The thread of each pair that takes the row next. */
        private final int[] turns = new int[threads / 2];

        private final Set<Integer> ended = new TreeSet<>();

        void prepare(ComputeThread ct) {
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
            int row = ct.id() / 2;
            boolean posts = ct.id() % 2 == 0;
            for (int i = 0; i < rounds; i++) {
                while (turns[row] != ct.id()) {
                    ct.pause();
                }
                long mark = ct.lockWords().newMark();
                for (long lock : rows[row]) {
                    acquire(lock, mark, ct);
                }
                for (long lock : rows[row]) {
                    if (posts) {
                        ct.lockWords().postRelease(lock, mark);
                    } else {
                        ct.lockWords().release(lock, mark);
                    }
                }
                if (random.nextBoolean()) {
                    readAny(rows[row][0], ct);
                }
                turns[row] = ct.id() ^ 1;
            }
            ended.add(ct.id());
            while (ended.size() < threads) {
                ct.pause(); // a break while a thread closes would end its node
            }
        }

        /** Places what the thread has posted on the same lane, and not what it has posted on another one. */
        private static void readAny(long lock, ComputeThread ct) {
            try {
                ct.read(lock);
            } catch (OutcomeUnknownException e) {
                // nothing depends on it
            }
        }

        private static void acquire(long lock, long mark, ComputeThread ct) {
            while (true) {
                try {
                    if (ct.lockWords().tryAcquire(lock, mark) == LockWords.FREE) {
                        return;
                    }
                } catch (OutcomeUnknownException e) {
                    // this thread does not hold it
                }
                ct.pause();
            }
        }

        void judge() {
            if (ended.size() < threads) {
                throw new AssertionError("of each pair, one thread waits for a lock that the other one has released: "
                        + "only the threads " + ended + " have ended");
            }
        }
    }
}
