// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Operations that take several blocks in full memory. Each thread replaces blocks of its own, and memory has as many
 * for it as it uses, and as many again. So it runs out of memory in an operation unless it began with a complete
 * reserve, for which it has to wait until those return that it has retired.
 *
 * <p>Then one thread takes the only block of another size, and waits after that operation until another thread has
 * retired some. That takes longer than to reclaim what was retired before, and it has to wait nevertheless: inside its
 * next operation, it would hold up the epoch, and so these blocks.
 *
 * <p>In the end it takes more blocks in an operation than ever before. It waits inside that operation, which holds up
 * the epoch, until the other thread frees blocks of its own, and gets one of those. No other thread may reuse the block
 * meanwhile of which it has read a pointer before.
 *
 * <p>In some runs, one thread is alone. It gets its blocks back between its operations; if memory is full inside one,
 * nobody can free any, and it fails at once.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 */
public record ReserveScenario(int threads, int operations) implements Scenario {
    private static final int BLOCK_BYTES = 64;

    /** The most blocks that an operation takes. */
    private static final int MOST_BLOCKS = 3;

    private static final int TAKER = 0;
    private static final int GIVER = 1;

    /** More blocks than a thread keeps that has freed them. */
    private static final int SPARE_BLOCKS = 3 * MOST_BLOCKS;

    private static final int OTHER_BYTES = 2 * BLOCK_BYTES;

    /** So many quiescent states that a thread looks at the epoch in one of them. */
    private static final int STATES_OF_A_LOOK = 70;

    private static final int ALONE_ONE_IN = 8;
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** How long the thread that is to free blocks lets the other one wait. */
    private static final long PATIENCE_NANOS = 500_000_000;

    /** So a run takes few steps until then. */
    private static final long POLL_NANOS = 20_000_000;

    /** Rejects parameters that cannot be run. */
    public ReserveScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations
                    + ": needs an even number of threads, and at least one operation");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        boolean isAlone = schedule.choices(-1).nextInt(ALONE_ONE_IN) == 0;
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, 0)
                .computeNodes(1, isAlone ? 1 : 2)
                .threadsPerNode(isAlone ? 1 : threads / 2)
                .segmentsPerNode(1)
                .reclaim(Reclamation.EPOCHS)
                .allocationWait(WAIT)
                .build();
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        Run run = new Run(cluster, config.totalThreads());
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final SimulatedCluster cluster;
        private final int all;
        private final long[][] blocks;
        private final long[] spare = new long[SPARE_BLOCKS];
        private final long[] spareOther = new long[SPARE_BLOCKS];
        private final Set<Integer> ended = new HashSet<>();

        /** Whether the taker waits between two operations for a block of the other size, or is about to. */
        private boolean isShort;

        /** Whether the taker waits for a block inside an operation, or is about to. */
        private boolean isWaiting;

        Run(SimulatedCluster cluster, int all) {
            this.cluster = cluster;
            this.all = all;
            this.blocks = new long[all][MOST_BLOCKS];
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == GIVER) {
                for (int i = 0; i < SPARE_BLOCKS; i++) {
                    spare[i] = ct.allocate(BLOCK_BYTES);
                    ct.quiescent(); // one block in each operation
                    spareOther[i] = ct.allocate(OTHER_BYTES);
                    ct.quiescent();
                }
            } else if (ct.id() == TAKER) {
                ct.allocate(OTHER_BYTES);
            }
            for (int i = 0; i < MOST_BLOCKS; i++) {
                blocks[ct.id()][i] = ct.allocate(BLOCK_BYTES);
            }
            ct.quiescent(); // takes as many in reserve
            ct.barrier();
            if (ct.id() == TAKER) {
                SegmentUse use = SegmentUse.of(ct).get(0);
                ct.allocate(use.bytes() - use.used());
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            try {
                for (int i = 0; i < operations; i++) {
                    unlessALaneBreaks(() -> replace(1 + random.nextInt(MOST_BLOCKS), ct));
                    unlessALaneBreaks(ct::quiescent);
                }
                ended.add(ct.id());
                while (all > 1 && !haveAllEnded()) {
                    rest(ct);
                }
                if (ct.id() == TAKER && all > 1) {
                    takeOther(ct);
                }
                while (ct.id() != TAKER && !isShort) {
                    rest(ct);
                }
                if (ct.id() == GIVER) {
                    giveOther(ct);
                }
                if (ct.id() == TAKER) {
                    takeMore(ct);
                }
                while (ct.id() != TAKER && !isWaiting) {
                    rest(ct);
                }
                if (ct.id() == GIVER) {
                    give(ct);
                }
            } catch (OutOfRemoteMemoryException e) {
                if (cluster.isOnlyDelayed()) {
                    throw e; // else a block may be lost
                }
            } finally {
                ended.add(ct.id());
                isShort |= ct.id() == TAKER;
                isWaiting |= ct.id() == TAKER;
            }
        }

        private boolean haveAllEnded() {
            return ended.size() + cluster.stoppedThreads().size() >= all;
        }

        private void rest(ComputeThread ct) {
            unlessALaneBreaks(() -> {
                for (int i = 0; i < STATES_OF_A_LOOK; i++) {
                    ct.quiescent();
                }
            });
            ct.pause(POLL_NANOS);
        }

        private void unlessALaneBreaks(Runnable work) {
            try {
                work.run();
            } catch (OutcomeUnknownException e) {
                // blocks of this operation may be lost
            }
        }

        private void replace(int count, ComputeThread ct) {
            long[] own = blocks[ct.id()];
            for (int i = 0; i < count; i++) {
                long taken = ct.allocate(BLOCK_BYTES);
                ct.post(taken, ct.id());
                long before = own[i];
                own[i] = taken;
                ct.schedReclaim(before, BLOCK_BYTES);
            }
        }

        /** Takes the block of the other size that this thread has in reserve, and needs one for its next operation. */
        private void takeOther(ComputeThread ct) {
            ct.allocate(OTHER_BYTES);
            isShort = true;
            unlessALaneBreaks(ct::quiescent);
            ct.allocate(OTHER_BYTES);
            unlessALaneBreaks(ct::quiescent);
        }

        private void giveOther(ComputeThread ct) {
            restFor(PATIENCE_NANOS, ct);
            for (long block : spareOther) {
                ct.schedReclaim(block, OTHER_BYTES);
            }
        }

        private void restFor(long nanos, ComputeThread ct) {
            long start = ct.nanoTime();
            while (ct.nanoTime() - start < nanos) {
                rest(ct);
            }
        }

        /** Takes more blocks in one operation than this thread has in reserve. */
        private void takeMore(ComputeThread ct) {
            long held = blocks[GIVER % all][0];
            long before = ct.read(held);
            isWaiting = true;
            long start = ct.nanoTime();
            try {
                for (int i = 0; i <= SPARE_BLOCKS; i++) {
                    ct.allocate(BLOCK_BYTES);
                }
            } catch (OutOfRemoteMemoryException e) {
                if (all > 1) {
                    throw e;
                } else if (ct.nanoTime() - start > WAIT.toNanos() / 2) {
                    throw new AssertionError(ct + " is alone, and has waited for another thread to free memory", e);
                }
            }
            if (ct.read(held) != before) { // fails if the block is free
                throw new AssertionError("a block was reused while " + ct + " held a pointer to it");
            }
        }

        private void give(ComputeThread ct) {
            ct.schedReclaim(blocks[GIVER][0], BLOCK_BYTES); // of which the taker holds a pointer
            restFor(PATIENCE_NANOS, ct);
            for (long block : spare) {
                unlessALaneBreaks(() -> ct.free(block, BLOCK_BYTES));
            }
        }
    }
}
