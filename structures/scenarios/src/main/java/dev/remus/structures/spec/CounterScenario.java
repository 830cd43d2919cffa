// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import static dev.remus.simulation.scenario.TroubledCluster.repeated;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.scenario.TroubledCluster;
import dev.remus.structures.RemoteCounter;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads add to a striped counter and read sums of it, while a node is lost, a thread is delayed and lanes break. Each
 * addition is a power of two of its own, so that a sum shows which additions it contains: each at most once, all that
 * had ended before it began or were in a sum that had, and none that had not begun when it ended.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each; there are at most 62 in all
 * @param creator makes a counter of so many stripes
 * @param opener makes a thread's handle
 */
public record CounterScenario(int threads, int operations, Creator creator, Opener opener) implements Scenario {
    /** A thread's handle to the counter that is tested. */
    public interface Counter {
        /** Adds, and returns when that is done. */
        void add(long number, ComputeThread ct);

        /** Adds before {@link ComputeThread#place} returns. */
        void post(long number, ComputeThread ct);

        /** Sums up. */
        long sum(ComputeThread ct);
    }

    /** Makes a counter in remote memory. */
    @FunctionalInterface
    public interface Creator {
        /** Makes a counter that is 0. */
        RdmaPtr<RemoteCounter> create(int stripes, ComputeThread ct);
    }

    /** Makes handles. */
    @FunctionalInterface
    public interface Opener {
        /** Makes a thread's handle. */
        Counter open(RdmaPtr<RemoteCounter> This, ComputeThread ct);
    }

    private static final int MOST_OPERATIONS = 62;
    private static final int MAX_STRIPES = 5;

    private record Shipped(RemoteCounter counter) implements Counter {
        @Override
        public void add(long number, ComputeThread ct) {
            counter.add(number, ct);
        }

        @Override
        public void post(long number, ComputeThread ct) {
            counter.post(number, ct);
        }

        @Override
        public long sum(ComputeThread ct) {
            return counter.sum(ct);
        }
    }

    /** The scenario of the {@link RemoteCounter}. */
    public static CounterScenario striped(int threads, int operations) {
        return new CounterScenario(
                threads, operations, RemoteCounter::create, (This, ct) -> new Shipped(new RemoteCounter(This, ct)));
    }

    /** Rejects parameters that cannot be run. */
    public CounterScenario {
        if (operations < 1 || threads * operations > MOST_OPERATIONS) {
            throw new IllegalArgumentException(threads + " threads, " + operations + " operations: needs 1 to "
                    + MOST_OPERATIONS + " operations in all");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        TroubledCluster troubled = new TroubledCluster(threads, schedule);
        Run run = new Run(1 + schedule.choices(-3).nextInt(MAX_STRIPES));
        troubled.cluster()
                .prepared(run::prepare)
                .concluded(run::conclude)
                .run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge(troubled.lost());
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final int stripes;
        private final Set<Integer> through = new TreeSet<>();
        private RdmaPtr<RemoteCounter> shared = RdmaPtr.nullPointer();

        /** The sum of all additions that have begun. */
        private long begun;

        /** The sum of those that have ended, or were in a sum. */
        private long certain;

        /** Those of which it is known that they were not lost, when a thread has placed all that it has posted. */
        private final long[] posted = new long[threads];

        Run(int stripes) {
            this.stripes = stripes;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                shared = creator.create(stripes, ct);
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            Counter counter = repeated(() -> opener.open(shared, ct), ct);
            for (int i = 0; i < operations; i++) {
                long number = 1L << ct.id() * operations + i;
                switch (random.nextInt(4)) {
                    case 0, 1 -> add(number, counter, ct);
                    case 2 -> post(number, counter, ct);
                    default -> sum(counter, ct);
                }
            }
            place(ct);
            through.add(ct.id());
        }

        private void add(long number, Counter counter, ComputeThread ct) {
            begun += number;
            try {
                counter.add(number, ct);
                certain |= number;
            } catch (OutcomeUnknownException e) {
                posted[ct.id()] = 0; // the report may be of what was posted
                ct.pause();
            }
        }

        private void post(long number, Counter counter, ComputeThread ct) {
            begun += number;
            posted[ct.id()] |= number;
            try {
                counter.post(number, ct);
            } catch (OutcomeUnknownException e) {
                posted[ct.id()] = 0;
            }
        }

        private void place(ComputeThread ct) {
            try {
                ct.place();
                certain |= posted[ct.id()];
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
            posted[ct.id()] = 0;
        }

        private void sum(Counter counter, ComputeThread ct) {
            long atLeast = certain;
            long sum = repeated(
                    () -> {
                        place(ct);
                        return counter.sum(ct);
                    },
                    ct);
            check(sum, atLeast, ct);
            certain |= sum;
        }

        private void check(long sum, long atLeast, ComputeThread ct) {
            if ((sum & ~begun) != 0 || (sum & atLeast) != atLeast) {
                throw new AssertionError(ct + " reads the sum " + Long.toBinaryString(sum) + "; begun were "
                        + Long.toBinaryString(begun) + ", and certain was " + Long.toBinaryString(atLeast));
            }
        }

        /** No thread adds any more. */
        void conclude(ComputeThread ct) {
            Counter counter = opener.open(shared, ct);
            long sum = counter.sum(ct);
            check(sum, certain, ct);
            if (counter.sum(ct) != sum) {
                throw new AssertionError(ct + " reads two different sums while no thread adds");
            }
        }

        void judge(Set<Integer> lost) {
            for (int thread = 0; thread < threads; thread++) {
                if (!lost.contains(thread) && !through.contains(thread)) {
                    throw new AssertionError(
                            "thread " + thread + " has not ended, when threads " + lost + " were lost");
                }
            }
        }
    }
}
