// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.config.Reclamation;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Threads are closed and opened again between the barriers of all threads, under {@code --on-node-loss continue}. No
 * barrier ends before every thread has arrived that has been open since the one before. All agree on who took part, and
 * find what the participants wrote before they arrived. Nobody waits for ever for a thread that is closed. Between the
 * barriers, with {@code --reclaim epochs}, threads exchange blocks: no block is reclaimed under a thread that has just
 * been opened.
 *
 * @param threads the number of threads, which is even
 * @param rounds how often each thread meets the others
 * @param opener makes a thread's handle to the barrier
 */
public record ReopenScenario(int threads, int rounds, Opener opener) implements Scenario {
    private static final int LONGEST_DELAY = 4;
    private static final long LONGEST_ABSENCE_NANOS = 3_000_000;

    /** The bytes of a block that threads exchange: twice the same number. */
    private static final long PAIR = 2 * Long.BYTES;

    /** The barrier that is tested, as one thread uses it, which can leave and come back. */
    public interface Barrier {
        /** Arrives, and returns when all threads that are awaited have. */
        void await(ComputeThread ct);

        /** Whether a thread took part in the last barrier that this one has passed. */
        boolean tookPart(int thread, ComputeThread ct);

        /** The number of barriers before the one that this thread passes next. */
        long meetings(ComputeThread ct);

        /** Declares that this thread arrives no more. */
        void leave(ComputeThread ct);

        /** Takes part again, in the barriers that begin from now on. The next one only waits for the present one. */
        void join(ComputeThread ct);
    }

    /** Makes handles. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens a barrier.
         *
         * @param shared a block that it may use, the same for all threads, of a zero word and one for each thread
         */
        Barrier open(RdmaPtr<?> shared, SimulatedCluster cluster);
    }

    /** The barrier of the framework, whose threads leave and join by {@code close} and {@code openThread}. */
    private record Shipped(SimulatedCluster cluster) implements Barrier {
        @Override
        public void await(ComputeThread ct) {
            ct.barrier();
        }

        @Override
        public boolean tookPart(int thread, ComputeThread ct) {
            return ct.peers().tookPart(thread);
        }

        @Override
        public long meetings(ComputeThread ct) {
            return ct.peers().meetings();
        }

        @Override
        public void leave(ComputeThread ct) {
            ct.close();
        }

        @Override
        public void join(ComputeThread ct) {
            if (cluster.computeNode(ct.nodeId()).openThread(ct.index()) != ct) {
                throw new AssertionError(ct + " is another one after it was opened again");
            }
        }
    }

    /** Rejects parameters that cannot be run. */
    public ReopenScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    /** The scenario with the barrier of the framework. */
    public ReopenScenario(int threads, int rounds) {
        this(threads, rounds, (shared, cluster) -> new Shipped(cluster));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = Clusters.drawn(threads, random)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .reclaim(random.nextBoolean() ? Reclamation.EPOCHS : Reclamation.BARRIER)
                .build();
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        Run run = new Run(cluster, config.reclaim() == Reclamation.EPOCHS);
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
    }

    /** Records of the run, on the Java heap. */
    private final class Run {
        private static final long NEVER = Long.MAX_VALUE;

        private final SimulatedCluster cluster;
        private final boolean exchangesBlocks;

        /** Who took part in each barrier, by its number, as the first one that passed it has found. */
        private final Map<Long, BitSet> participants = new HashMap<>();

        /** The first barrier at which each thread is awaited; {@link #NEVER} while it leaves or is away. */
        private final long[] awaitedFrom = new long[threads];

        private long barrierWords;

        /** Where each thread writes the number of the barrier at which it arrives. */
        private long arrivals;

        /** A pointer to the block that threads exchange. */
        private long exchanged;

        Run(SimulatedCluster cluster, boolean exchangesBlocks) {
            this.cluster = cluster;
            this.exchangesBlocks = exchangesBlocks;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                barrierWords = zeroed(1 + threads, ct);
                arrivals = zeroed(threads, ct);
                exchanged = zeroed(1, ct);
                ct.write(exchanged, zeroed(2, ct));
            }
        }

        private long zeroed(int words, ComputeThread ct) {
            long block = ct.allocate((long) words * Long.BYTES);
            for (int i = 0; i < words; i++) {
                ct.write(block + (long) i * Long.BYTES, 0);
            }
            return block;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            Barrier barrier = opener.open(new RdmaPtr<>(barrierWords), cluster);
            long firstOwn = barrier.meetings(ct) + 1;
            awaitedFrom[ct.id()] = firstOwn;
            for (int round = 0; round < rounds; round++) {
                if (random.nextInt(3) == 0) {
                    firstOwn = leaveAndJoin(random, barrier, ct);
                }
                for (int i = random.nextInt(LONGEST_DELAY); i > 0; i--) {
                    exchange(ct);
                    ct.quiescent();
                    ct.pause();
                }
                meet(firstOwn, barrier, ct);
            }
            awaitedFrom[ct.id()] = NEVER;
            barrier.leave(ct);
        }

        /** Returns the number of the first barrier in which the thread takes part again. */
        private long leaveAndJoin(SplittableRandom random, Barrier barrier, ComputeThread ct) {
            do {
                awaitedFrom[ct.id()] = NEVER;
                barrier.leave(ct);
                cluster.simulator().sleep(random.nextLong(LONGEST_ABSENCE_NANOS));
                barrier.join(ct);
                checkAttendance(barrier, ct);
            } while (random.nextInt(3) == 0);
            long firstOwn = barrier.meetings(ct) + 2;
            awaitedFrom[ct.id()] = firstOwn;
            return firstOwn;
        }

        private void exchange(ComputeThread ct) {
            if (!exchangesBlocks) {
                return;
            }
            try {
                long old = ct.read(exchanged);
                long number = ct.read(old);
                long same = ct.read(old + Long.BYTES);
                if (number != same) {
                    throw new AssertionError(ct + " reads " + number + " and " + same + " in a block that was in use");
                }
                long block = ct.allocate(PAIR);
                ct.write(block, number + 1);
                ct.write(block + Long.BYTES, number + 1);
                if (ct.compareAndSwap(exchanged, old, block) == old) {
                    ct.schedReclaim(old, PAIR);
                } else {
                    ct.free(block, PAIR);
                }
            } catch (OutcomeUnknownException e) {
                ct.pause(); // a lane broke; a block may stay allocated
            }
        }

        private void meet(long firstOwn, Barrier barrier, ComputeThread ct) {
            long number = barrier.meetings(ct) + 1;
            ct.post(arrivals + (long) Long.BYTES * ct.id(), number);
            barrier.await(ct);
            checkAttendance(barrier, ct);
            for (int other = 0; other < threads; other++) {
                boolean isThere = barrier.tookPart(other, ct);
                if (isThere) {
                    long seen = ct.read(arrivals + (long) Long.BYTES * other);
                    if (seen < number) {
                        throw new AssertionError(ct + " has passed barrier " + number + " with thread " + other
                                + ", and finds that it wrote " + seen + " before it arrived");
                    }
                } else if (awaitedFrom[other] <= number && !ct.peers().isLost(other)) {
                    throw new AssertionError(ct + " has passed barrier " + number + " without thread " + other
                            + ", which takes part from barrier " + awaitedFrom[other] + " on");
                }
            }
            if (number >= firstOwn && !barrier.tookPart(ct.id(), ct)) {
                throw new AssertionError(ct + " did not take part in barrier " + number + ", at which it arrived");
            }
        }

        private void checkAttendance(Barrier barrier, ComputeThread ct) {
            BitSet here = new BitSet();
            for (int thread = 0; thread < threads; thread++) {
                here.set(thread, barrier.tookPart(thread, ct));
            }
            BitSet there = participants.putIfAbsent(barrier.meetings(ct), here);
            if (there != null && !there.equals(here)) {
                throw new AssertionError("the threads disagree on who took part in barrier " + barrier.meetings(ct)
                        + ": " + there + ", but " + here + " for " + ct);
            }
        }
    }
}
