// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads meet at the barrier of all threads again and again, each on a Compute Node of its own, under {@code
 * --on-node-loss continue}. Some of them die with their node at any moment, are declared lost although they go on,
 * or finish in the middle; others are only late, or their lanes break. The rest must pass every barrier, and none
 * before each other has arrived or is gone. All must agree on who took part, and know that the others are lost. A
 * thread that leaves finds what the participants wrote before they arrived, even by a WRITE that was only posted. Of
 * a lost thread that did not take part, nothing may arrive any more.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of times they meet
 * @param opener makes a thread's handle to the barrier
 */
public record BarrierLossScenario(int threads, int rounds, Opener opener) implements Scenario {
    /** About the number of waits of a thread in a run. */
    private static final int LATEST_WAIT = 40;

    private static final int MOST_LATE = 3;
    private static final int LONGEST_DELAY = 3;

    /** A link is lost after so long. A late request, which delays the cutting off, is not as late. */
    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(6);

    /** Longer than a loss takes to be noticed, and the lost node to be cut off. */
    private static final long QUIET_NANOS = 20_000_000_000L;

    /** The barrier that is tested, as one thread uses it. */
    public interface Barrier {
        /** Arrives, and returns when all threads that are left have. */
        void await(ComputeThread ct);

        /** Whether a thread took part in the last barrier that this one has passed. */
        boolean tookPart(int thread, ComputeThread ct);

        /** Declares that this thread arrives no more. */
        void leave(ComputeThread ct);
    }

    /** Makes handles. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens a barrier.
         *
         * @param shared a block that it may use, the same for all threads, of a zero word and one for each thread
         */
        Barrier open(RdmaPtr<?> shared);
    }

    /** The fate of a thread. */
    private enum Fate {
        STAYS,
        DIES,
        IS_DECLARED_LOST,
        FINISHES;

        boolean isLoss() {
            return this == DIES || this == IS_DECLARED_LOST;
        }
    }

    /** The barrier of the framework. */
    private enum Shipped implements Barrier {
        BARRIER;

        @Override
        public void await(ComputeThread ct) {
            ct.barrier();
        }

        @Override
        public boolean tookPart(int thread, ComputeThread ct) {
            return ct.peers().tookPart(thread);
        }

        @Override
        public void leave(ComputeThread ct) {
            // The end of the thread closes it.
        }
    }

    /** Rejects parameters that cannot be run. */
    public BarrierLossScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    /** The scenario with the barrier of the framework. */
    public BarrierLossScenario(int threads, int rounds) {
        this(threads, rounds, shared -> Shipped.BARRIER);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        Fate[] fates = drawFates(random);
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .lossTimeout(LOSS_TIMEOUT)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(drawStrikes(fates, random)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(fates);
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    /** At least one thread stays. */
    private Fate[] drawFates(SplittableRandom random) {
        Fate[] fates = new Fate[threads];
        int survivor = random.nextInt(threads);
        for (int thread = 0; thread < threads; thread++) {
            boolean stays = thread == survivor || random.nextBoolean();
            fates[thread] = stays ? Fate.STAYS : Fate.values()[random.nextInt(Fate.values().length)];
        }
        return fates;
    }

    private static Strike[] drawStrikes(Fate[] fates, SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        for (int thread = 0; thread < fates.length; thread++) {
            int last = 1 + random.nextInt(LATEST_WAIT);
            for (int late = fates[thread].isLoss() ? random.nextInt(MOST_LATE) : 0; late > 0 && last > late; late--) {
                strikes.add(new Strike(Fault.LATE_REQUESTS, thread, last - late));
            }
            switch (fates[thread]) {
                case DIES -> strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, thread, last));
                case IS_DECLARED_LOST -> strikes.add(new Strike(Fault.LOST_LINKS, thread, last));
                default -> {
                    if (random.nextBoolean()) {
                        Fault trouble = random.nextBoolean() ? Fault.PAUSED_THREADS : Fault.BROKEN_LANES;
                        strikes.add(new Strike(trouble, thread, last));
                    }
                }
            }
        }
        return strikes.toArray(Strike[]::new);
    }

    /** Records of the run, on the Java heap. */
    private final class Run {
        private final Fate[] fates;

        /** The barriers at which each thread has begun to arrive. */
        private final int[] arrivals = new int[threads];

        /** The threads that took part in each round, as the first one that passed it has found. */
        private final BitSet[] present = new BitSet[rounds];

        /** The word of each thread that did not take part, as the first one that noticed it has read it. */
        private final long[] last = new long[threads];

        private final Set<Integer> ended = new TreeSet<>();

        Run(Fate[] fates) {
            this.fates = fates;
        }

        /** Makes the block of the barrier, then a word for each thread. */
        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                long bytes = bytesOfBarrier() + (long) threads * Long.BYTES;
                long block = ct.allocate(bytes);
                for (long at = 0; at < bytes; at += Long.BYTES) {
                    ct.write(block + at, 0);
                }
                ct.root().set(new RdmaPtr<>(block));
            }
        }

        private long bytesOfBarrier() {
            return (1L + threads) * Long.BYTES;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            long block = ct.root().get().raw();
            long words = block + bytesOfBarrier();
            Barrier barrier = opener.open(new RdmaPtr<>(block));
            int end = fates[ct.id()] == Fate.FINISHES ? rounds / 2 : rounds;
            for (int round = 0; round < end; round++) {
                for (int i = random.nextInt(LONGEST_DELAY); i > 0; i--) {
                    ct.pause();
                }
                arrivals[ct.id()] = round + 1;
                while (!hasMet(words + (long) ct.id() * Long.BYTES, round + 1L, barrier, ct)) {
                    ct.pause();
                }
                check(round, words, barrier, ct);
            }
            barrier.leave(ct);
            ended.add(ct.id());
        }

        /** Returns false if a lane has broken. Then what was posted may be lost, and is posted again. */
        private boolean hasMet(long word, long value, Barrier barrier, ComputeThread ct) {
            try {
                ct.post(word, value);
                barrier.await(ct);
                return true;
            } catch (OutcomeUnknownException e) {
                return false;
            }
        }

        private void check(int round, long words, Barrier barrier, ComputeThread ct) {
            BitSet found = new BitSet();
            for (int other = 0; other < threads; other++) {
                boolean isThere = barrier.tookPart(other, ct);
                found.set(other, isThere);
                long written = ct.read(words + (long) other * Long.BYTES);
                if (isThere) {
                    checkParticipant(other, round, written, ct);
                } else {
                    checkAbsent(other, round, written, ct);
                }
            }
            if (present[round] == null) {
                present[round] = found;
            } else if (!present[round].equals(found)) {
                throw new AssertionError(ct + " found threads " + found + " at the barrier of round " + round
                        + ", and another one " + present[round]);
            }
        }

        private void checkParticipant(int other, int round, long written, ComputeThread ct) {
            if (arrivals[other] <= round) {
                throw new AssertionError(ct + " found thread " + other + " at the barrier of round " + round
                        + ", at which it had not arrived");
            }
            if (written <= round) {
                throw new AssertionError(ct + " left the barrier of round " + round + " and read " + written
                        + " where thread " + other + " had written " + (round + 1) + " before it arrived");
            }
            if (last[other] != 0) {
                throw new AssertionError(ct + " found thread " + other + " back at the barrier of round " + round);
            }
        }

        private void checkAbsent(int other, int round, long written, ComputeThread ct) {
            boolean isGone = fates[other].isLoss() || fates[other] == Fate.FINISHES && arrivals[other] <= round;
            if (!isGone) {
                throw new AssertionError(
                        ct + " left the barrier of round " + round + " without thread " + other + ", which is there");
            }
            if (fates[other].isLoss() && !ct.peers().isLost(other)) {
                throw new AssertionError(ct + " left the barrier of round " + round + " before it knew that thread "
                        + other + " is lost");
            }
            if (last[other] != 0 && last[other] != written + 1) {
                throw new AssertionError(ct + " read " + written + " from thread " + other
                        + " after the barrier of round " + round + ", and another one " + (last[other] - 1)
                        + ": something of it has arrived after a barrier without it");
            }
            last[other] = written + 1; // so that 0 means none
        }

        void judge() {
            for (int thread = 0; thread < threads; thread++) {
                if (!fates[thread].isLoss() && !ended.contains(thread)) {
                    throw new AssertionError("thread " + thread + " does not pass the barrier of round "
                            + (arrivals[thread] - 1) + " when the fates of all threads are " + List.of(fates));
                }
            }
        }
    }
}
