// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A thread retires blocks in full memory, and goes offline for long, or waits at a barrier. Another thread of its node
 * or of the other one needs these blocks before it lets the first one go on, so that they must return meanwhile. Work
 * offline may call methods that go offline, or that are quiescent, and that ends nothing.
 *
 * <p>In the end the second thread takes more blocks in one operation than it has, on a certain Memory Node. It waits
 * there until a third one frees some.
 *
 * <p>What the thread has posted before it goes offline is placed by then, also in runs in which memory is reclaimed at
 * barriers.
 *
 * @param threads the number of threads, which is even, and at least four
 * @param blocks how many blocks the second thread takes of those that the first one has retired
 */
public record OfflineScenario(int threads, int blocks) implements Scenario {
    private static final int BLOCK_BYTES = 64;
    private static final int LANES = 4;
    private static final int LEAVER = 0;
    private static final int NEAR = 1;
    private static final int GIVER = 2;
    private static final int FAR = 3;

    /** So many quiescent states that a thread looks at the epoch in one of them, if it is online. */
    private static final int STATES_OF_A_LOOK = 70;

    /** More blocks than a thread keeps that has reclaimed or freed them. */
    private static final int SPARE_BLOCKS = 12;

    private static final int BARRIERS_ONE_IN = 8;
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** How long the third thread lets the second one wait. */
    private static final long PATIENCE_NANOS = 200_000_000;

    private static final long POLL_NANOS = 20_000_000;

    /** Rejects parameters that cannot be run. */
    public OfflineScenario {
        if (threads < 4 || threads % 2 != 0 || blocks < 1) {
            throw new IllegalArgumentException("threads " + threads + ", blocks " + blocks
                    + ": needs an even number of threads, at least four, and at least one block");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        boolean hasEpochs = random.nextInt(BARRIERS_ONE_IN) > 0;
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, 0)
                .computeNodes(1, 2)
                .segmentsPerNode(1)
                .lanes(LANES)
                .reclaim(hasEpochs ? Reclamation.EPOCHS : Reclamation.BARRIER)
                .allocationWait(WAIT)
                .build();
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        Run run = new Run(cluster, hasEpochs, random.nextBoolean(), random.nextBoolean() ? FAR : NEAR);
        cluster.prepared(run::prepare).run(run::work);
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final SimulatedCluster cluster;
        private final boolean hasEpochs;

        /** Whether the first thread waits at a barrier. */
        private final boolean meets;

        /** The second thread. */
        private final int taker;

        /** Whether it is on the other node. Then the other thread of the first one's node waits at the barrier. */
        private final boolean isFar;

        private final long[] old = new long[blocks + SPARE_BLOCKS];
        private final long[] spare = new long[SPARE_BLOCKS];

        /** A block to which the first thread posts before it goes offline. */
        private long posted;

        private boolean isAway;
        private boolean isServed;

        /** Whether the second thread waits for a block inside an operation, or is about to, or has ended. */
        private boolean isWaiting;

        private boolean isOver;

        Run(SimulatedCluster cluster, boolean hasEpochs, boolean meets, int taker) {
            this.cluster = cluster;
            this.hasEpochs = hasEpochs;
            this.meets = hasEpochs && meets;
            this.taker = taker;
            this.isFar = hasEpochs && taker == FAR;
        }

        void prepare(ComputeThread ct) {
            long[] own = ct.id() == LEAVER ? old : ct.id() == GIVER ? spare : new long[1];
            for (int i = 0; i < own.length; i++) {
                own[i] = ct.allocate(BLOCK_BYTES);
                ct.write(own[i], 0);
                ct.quiescent(); // one block in each operation
            }
            if (ct.id() == LEAVER) {
                posted = ct.allocate(BLOCK_BYTES);
                for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                    ct.write(posted + i, 0);
                }
            }
            ct.barrier();
            if (ct.id() == taker && hasEpochs) {
                SegmentUse use = SegmentUse.of(ct).get(0);
                ct.allocate(use.bytes() - use.used());
            }
        }

        void work(ComputeThread ct) {
            try {
                if (ct.id() == LEAVER) {
                    leave(ct);
                } else if (ct.id() == taker) {
                    take(ct);
                } else {
                    rest(ct);
                }
            } catch (OutOfRemoteMemoryException | IllegalStateException e) {
                if (cluster.isOnlyDelayed()) {
                    throw e; // else blocks are lost, a lost thread holds the epoch up, or one is missing at the barrier
                }
            } finally {
                isServed |= ct.id() == taker;
                isWaiting |= ct.id() == taker;
                isOver |= ct.id() == taker;
            }
        }

        private void leave(ComputeThread ct) {
            if (hasEpochs) {
                for (long block : old) {
                    ct.schedReclaim(block, BLOCK_BYTES);
                }
            }
            for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                ct.post(posted + i, 1);
            }
            if (meets) {
                isAway = true;
                ct.barrier();
            } else {
                unlessALaneBreaks(() -> ct.offline(() -> {
                    for (int i = 0; i < STATES_OF_A_LOOK; i++) {
                        ct.quiescent();
                    }
                    ct.offline(() -> {});
                    isAway = true;
                    while (!isServed) {
                        ct.pause(POLL_NANOS); // without a quiescent state, so it would hold the epoch up online
                    }
                }));
                if (isFar) {
                    ct.barrier();
                }
            }
            restUntilOver(ct);
        }

        private void take(ComputeThread ct) {
            while (!isAway) {
                unlessALaneBreaks(ct::quiescent);
                ct.pause();
            }
            if (!meets) {
                checkPosted(ct);
            }
            if (!hasEpochs) {
                return;
            }
            for (int i = 0; i < blocks; i++) {
                allocate(ct);
                unlessALaneBreaks(ct::quiescent);
            }
            isServed = true;
            if (meets || isFar) {
                ct.barrier();
            }
            isWaiting = true;
            long start;
            do {
                start = ct.nanoTime();
                allocate(ct);
            } while (ct.nanoTime() - start < PATIENCE_NANOS / 2); // it has not waited
        }

        private void checkPosted(ComputeThread ct) {
            for (int i = BLOCK_BYTES - Long.BYTES; i >= 0; i -= Long.BYTES) { // the last one may be the latest
                if (ct.read(posted + i) != 1) {
                    throw new AssertionError("thread " + LEAVER + " is offline, and what it has posted is not placed");
                }
            }
        }

        private void allocate(ComputeThread ct) {
            if (ct.allocateOn(0, BLOCK_BYTES) == RdmaPtr.NULL) {
                throw new AssertionError(ct + " has got no block");
            }
        }

        private void rest(ComputeThread ct) {
            boolean waitsAtBarrier = isFar && ct.id() == NEAR;
            while (!isServed && !waitsAtBarrier) {
                unlessALaneBreaks(ct::quiescent);
                ct.pause(POLL_NANOS);
            }
            if (meets || isFar) {
                ct.barrier();
            }
            while (!isWaiting) {
                unlessALaneBreaks(ct::quiescent);
                ct.pause(POLL_NANOS);
            }
            if (ct.id() == GIVER && hasEpochs) {
                give(ct);
            }
            restUntilOver(ct);
        }

        private void give(ComputeThread ct) {
            long start = ct.nanoTime();
            while (ct.nanoTime() - start < PATIENCE_NANOS) {
                unlessALaneBreaks(ct::quiescent);
                ct.pause(POLL_NANOS);
            }
            for (long block : spare) {
                unlessALaneBreaks(() -> ct.free(block, BLOCK_BYTES));
            }
            isOver = true;
        }

        private void restUntilOver(ComputeThread ct) {
            while (!isOver) {
                unlessALaneBreaks(ct::quiescent);
                ct.pause(POLL_NANOS);
            }
        }

        private void unlessALaneBreaks(Runnable work) {
            try {
                work.run();
            } catch (OutcomeUnknownException e) {
                // blocks of this operation may be lost
            }
        }
    }
}
