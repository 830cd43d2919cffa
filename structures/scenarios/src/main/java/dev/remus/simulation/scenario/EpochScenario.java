// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Threads replace the blocks that a few words of remote memory point to, retire the old ones, read and write the
 * present ones, pass quiescent states, and go offline at times. Blocks are reused by epochs. No thread may find a block
 * reused while it holds a pointer to it, and no late WRITE may reach a reused block.
 *
 * <p>With a loss, each thread is on a Compute Node of its own. One is lost, and a lane of another one breaks.
 * In the end the threads that are left must reclaim everything. Without one, the faults are those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param hasLoss whether a node is lost, and all blocks must return
 * @param factory makes the threads' handles
 */
public record EpochScenario(int threads, int operations, boolean hasLoss, Retirement.Factory factory)
        implements Scenario {
    private static final int SLOTS = 3;
    private static final long POINTER = -Retirement.BLOCK_BYTES;
    private static final long STAMP = 0x9E37_79B9_7F4A_7C15L;
    private static final int SECOND = 8;
    private static final int TOUCHED = 16;
    private static final int LATEST_WAIT = 80;
    private static final int MOST_RESTS = 16;
    private static final int MOST_ROUNDS = 4_000;
    private static final int EPOCHS_OF_A_BLOCK = 3;
    private static final long QUIET_NANOS = 20_000_000_000L;

    /** Rejects parameters that cannot be run. */
    public EpochScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations
                    + ": needs an even number of threads, and at least one operation");
        }
    }

    /** The scenario with the threads' own retirement. */
    public static EpochScenario shipped(int threads, int operations, boolean hasLoss) {
        return new EpochScenario(threads, operations, hasLoss, Retirement.ofComputeThread());
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        SimulatedCluster cluster = hasLoss ? clusterWithLoss(schedule, random) : cluster(schedule, random);
        Run run = new Run(cluster);
        cluster.prepared(run::prepare).run(ct -> run.new Worker(schedule.choices(ct.id()), ct).work());
        if (hasLoss && !run.isDrained()) {
            throw new AssertionError("blocks stay retired for ever in threads other than " + run.drained
                    + ", although all threads that are left pass quiescent states");
        }
    }

    private SimulatedCluster cluster(Schedule schedule, SplittableRandom random) {
        ClusterConfig config =
                Clusters.drawn(threads, random).reclaim(factory.setting()).build();
        return new SimulatedCluster(config, schedule);
    }

    private SimulatedCluster clusterWithLoss(Schedule schedule, SplittableRandom random) {
        int lost = random.nextInt(threads);
        int broken = (lost + 1 + random.nextInt(threads - 1)) % threads;
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .reclaim(factory.setting())
                        .build(),
                schedule.withFaults(Set.of())
                        .withStrikes(
                                new Strike(Fault.LOST_COMPUTE_NODES, lost, 1 + random.nextInt(LATEST_WAIT)),
                                new Strike(Fault.BROKEN_LANES, broken, 1 + random.nextInt(LATEST_WAIT))));
        cluster.simulator().quietAfter(QUIET_NANOS);
        return cluster;
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final SimulatedCluster cluster;

        /** By block: how often it was linked. */
        private final Map<Long, Integer> uses = new HashMap<>();

        /** The threads that have reclaimed everything, or have failed. */
        private final Set<Integer> drained = new HashSet<>();

        private RdmaPtr<?> shared = RdmaPtr.nullPointer();
        private long slots;

        Run(SimulatedCluster cluster) {
            this.cluster = cluster;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                shared = factory.create(ct);
                slots = ct.allocate(SLOTS * Long.BYTES);
                for (int i = 0; i < SLOTS; i++) {
                    ct.write(slots + (long) i * Long.BYTES, RdmaPtr.NULL);
                }
            }
        }

        boolean isDrained() {
            return IntStream.range(0, threads)
                    .allMatch(thread ->
                            drained.contains(thread) || cluster.stoppedThreads().contains(thread));
        }

        /** One thread. */
        private final class Worker {
            private final SplittableRandom random;
            private final ComputeThread ct;
            private final Retirement retirement;

            /** A word that the thread keeps from one operation to the next. */
            private long kept;

            private long keptAt;

            Worker(SplittableRandom random, ComputeThread ct) {
                this.random = random;
                this.ct = ct;
                this.retirement = open();
            }

            private Retirement open() {
                while (true) {
                    try {
                        return factory.open(shared, ct);
                    } catch (OutcomeUnknownException e) {
                        ct.pause(); // a lane has broken
                    }
                }
            }

            void work() {
                for (int i = 0; i < operations; i++) {
                    unlessALaneBreaks(this::operate);
                    for (int rests = random.nextInt(4); rests >= 0; rests--) {
                        unlessALaneBreaks(this::rest);
                    }
                }
                if (hasLoss) {
                    drain();
                }
                unlessALaneBreaks(() -> retirement.offline(() -> {}, ct));
                checkGarbage();
            }

            /** Of the thread's own count, which includes what it has taken over from others. */
            private void checkGarbage() {
                int most = ct.metrics().retiredMost();
                int inEpoch = ct.metrics().retiredInEpochMost();
                if (most > EPOCHS_OF_A_BLOCK * inEpoch) {
                    throw new AssertionError(
                            ct + " held " + most + " retired blocks, and retired " + inEpoch + " in an epoch at most");
                }
            }

            private void unlessALaneBreaks(Runnable operation) {
                try {
                    operation.run();
                } catch (OutcomeUnknownException e) {
                    // A block that was being linked or replaced stays allocated.
                } catch (FabricException e) {
                    drained.add(ct.id());
                    throw e;
                }
            }

            private void operate() {
                long slot = slots + random.nextLong(SLOTS) * Long.BYTES;
                switch (random.nextInt(6)) {
                    case 0, 1, 2 -> replace(slot);
                    case 3 -> touchAndRest(ct.read(slot));
                    case 4 -> checkKept();
                    default -> {
                        long word = ct.read(slot);
                        kept = word;
                        keptAt = retirement.staleness(ct);
                        check(word);
                    }
                }
            }

            /** Between two operations. */
            private void rest() {
                switch (random.nextInt(8)) {
                    case 0 -> {} // goes on as if it were in the same operation
                    case 1 -> retirement.offline(this::pauseForSome, ct);
                    default -> retirement.quiescent(ct);
                }
            }

            private void pauseForSome() {
                for (int i = random.nextInt(6); i >= 0; i--) {
                    ct.pause();
                }
            }

            private void replace(long slot) {
                long block = retirement.allocate(ct);
                long word = block | uses.merge(block, 1, Integer::sum) & Retirement.BLOCK_BYTES - 1;
                ct.write(block, word * STAMP);
                ct.write(block + SECOND, ~(word * STAMP));
                ct.write(block + TOUCHED, word * STAMP);
                long seen = ct.read(slot);
                for (long found = ct.compareAndSwap(slot, seen, word);
                        found != seen;
                        found = ct.compareAndSwap(slot, seen, word)) {
                    seen = found;
                    ct.pause();
                }
                if (seen != RdmaPtr.NULL) {
                    retirement.retire(seen & POINTER, ct);
                }
            }

            /**
             * Posts the value that is there, which no thread notices unless the block is another one by then. Then
             * passes quiescent states only, or goes offline, so that nothing else has a reason to place it.
             */
            private void touchAndRest(long word) {
                if (word != RdmaPtr.NULL) {
                    ct.post((word & POINTER) + TOUCHED, word * STAMP);
                    if (hasLoss && random.nextInt(3) == 0) { // seldom, since quiescent states alone find more
                        retirement.offline(this::pauseForSome, ct);
                        return;
                    }
                    for (int i = random.nextInt(MOST_RESTS); i >= 0; i--) {
                        retirement.quiescent(ct);
                        ct.pause();
                    }
                }
            }

            private void checkKept() {
                if (keptAt == retirement.staleness(ct)) {
                    check(kept);
                }
            }

            private void check(long word) {
                if (word == RdmaPtr.NULL) {
                    return;
                }
                long block = word & POINTER;
                long first = ct.read(block);
                pauseForSome();
                long second = ct.read(block + SECOND);
                long touched = ct.read(block + TOUCHED);
                if (first != word * STAMP || second != ~first || touched != first) {
                    throw new AssertionError(ct + " found the block at (" + RdmaPtr.toString(block)
                            + ") reused while it held a pointer to it, or changed by an operation on an earlier one");
                }
            }

            /**
             * Passes quiescent states until all threads that are left have reclaimed what they have retired. May be
             * offline as soon as it has reclaimed all of its own.
             */
            private void drain() {
                boolean leaves = random.nextBoolean();
                for (int round = 0; round < MOST_ROUNDS && !isDrained(); round++) {
                    unlessALaneBreaks(() -> retirement.quiescent(ct));
                    if (retirement.held(ct) == 0) {
                        drained.add(ct.id());
                    }
                    if (leaves && drained.contains(ct.id())) {
                        unlessALaneBreaks(() -> retirement.offline(this::awaitDrained, ct));
                    }
                    ct.pause();
                }
            }

            private void awaitDrained() {
                for (int round = 0; round < MOST_ROUNDS && !isDrained(); round++) {
                    ct.pause();
                }
            }
        }
    }
}
