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
import java.util.stream.IntStream;

/**
 * Some threads only allocate blocks, the others only free them, as in a queue. Few blocks are in use at once, and many
 * are allocated in the end. Memory must not fill up meanwhile: half of each segment must stay new.
 *
 * <p>In half of the runs no block is freed before 3/8 of a segment are in use. Until then, threads that look for free
 * blocks of others find none, and afterwards few are in use again.
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
        Run run = new Run(new BlockBook(config), config, random.nextBoolean());
        new SimulatedCluster(config, schedule).run(ct -> {
            if (ct.id() % 2 == 0) {
                run.allocateAll(ct);
            } else {
                run.freeAll(schedule.choices(ct.id()), ct);
            }
        });
        run.checkHalfIsNew();
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final BlockBook book;
        private final List<Block> used = new ArrayList<>();
        private final ClusterConfig config;
        private int left = threads / 2 * operations * BLOCKS_PER_OPERATION;

        /** Whether no block is freed yet. */
        private boolean isFilling;

        private Run(BlockBook book, ClusterConfig config, boolean fillsFirst) {
            this.book = book;
            this.config = config;
            this.isFilling = fillsFirst;
        }

        void allocateAll(ComputeThread ct) {
            for (int i = 0; i < operations * BLOCKS_PER_OPERATION; i++) {
                while (!isFilling && used.size() >= MOST_IN_USE) {
                    ct.pause();
                }
                used.add(book.handedOut(ct.allocate(BLOCK_BYTES), BLOCK_BYTES, ct));
                isFilling &= mostUsed() <= book.end(0) / 8 * 3;
                ct.quiescent();
            }
            isFilling = false;
        }

        void freeAll(SplittableRandom random, ComputeThread ct) {
            while (left > 0) {
                if (isFilling || used.isEmpty()) {
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

        private long mostUsed() {
            return IntStream.rangeClosed(config.firstMemoryNode(), config.lastMemoryNode())
                    .mapToLong(node -> book.used(node, 0))
                    .max()
                    .orElse(0);
        }

        void checkHalfIsNew() {
            if (mostUsed() > book.end(0) / 2) {
                throw new AssertionError(mostUsed() + " of the " + book.end(0) + " bytes of a node were taken, but at"
                        + " most 3/8 at first, and then at most " + MOST_IN_USE + " blocks of " + BLOCK_BYTES
                        + " bytes and those that are being allocated, were in use at once");
            }
        }
    }
}
