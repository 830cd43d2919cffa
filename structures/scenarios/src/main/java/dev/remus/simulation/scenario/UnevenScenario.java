// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.BlockBook.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Some threads only allocate blocks, the others only free them, as in a queue. Few blocks are in use at once, and many
 * are allocated in the end. Memory must not fill up meanwhile: half of each segment must stay new.
 *
 * @param threads the number of threads, which is even
 * @param operations 1/{@value #BLOCKS_PER_OPERATION} of the number of blocks that each second thread allocates
 */
public record UnevenScenario(int threads, int operations) implements Scenario {
    private static final int SEGMENT_LOG2 = 15;
    private static final int BLOCK_BYTES = 64;
    private static final int BLOCKS_PER_OPERATION = 30;
    private static final int MOST_IN_USE = 4;

    /** Rejects parameters that cannot be run. */
    public UnevenScenario {
        if (operations < 1) {
            throw new IllegalArgumentException(operations + " operations: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = Clusters.drawn(threads, random)
                .segmentsPerNode(1)
                .segmentSizeLog2(SEGMENT_LOG2)
                .reclaim(Reclamation.EPOCHS)
                .checkMemory(random.nextBoolean())
                .build();
        Run run = new Run(new BlockBook(config));
        new SimulatedCluster(config, schedule).run(ct -> {
            if (ct.id() % 2 == 0) {
                run.allocateAll(ct);
            } else {
                run.freeAll(schedule.choices(ct.id()), ct);
            }
        });
        run.checkHalfIsNew(config);
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final BlockBook book;
        private final List<Block> used = new ArrayList<>();
        private int left = threads / 2 * operations * BLOCKS_PER_OPERATION;

        private Run(BlockBook book) {
            this.book = book;
        }

        void allocateAll(ComputeThread ct) {
            for (int i = 0; i < operations * BLOCKS_PER_OPERATION; i++) {
                while (used.size() >= MOST_IN_USE) {
                    ct.pause();
                }
                used.add(book.handedOut(ct.allocate(BLOCK_BYTES), BLOCK_BYTES, ct));
                ct.quiescent();
            }
        }

        void freeAll(SplittableRandom random, ComputeThread ct) {
            while (left > 0) {
                if (used.isEmpty()) {
                    ct.pause();
                } else {
                    left--;
                    Block block = used.remove(random.nextInt(used.size()));
                    book.freed(block, ct);
                    ct.free(block.pointer, BLOCK_BYTES);
                }
                ct.quiescent();
            }
        }

        void checkHalfIsNew(ClusterConfig config) {
            for (int node = config.firstMemoryNode(); node <= config.lastMemoryNode(); node++) {
                if (book.used(node, 0) > book.end(0) / 2) {
                    throw new AssertionError(book.used(node, 0) + " of " + book.end(0) + " bytes of node " + node
                            + " were taken, but at most " + MOST_IN_USE + " blocks of " + BLOCK_BYTES
                            + " bytes and those that are being allocated were in use at once");
                }
            }
        }
    }
}
