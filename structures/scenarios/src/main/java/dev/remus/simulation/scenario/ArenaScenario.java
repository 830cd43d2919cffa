// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.SegmentHeader;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.BlockBook.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Threads allocate blocks from their runs, free each other's blocks, and end one after the other. The last one then
 * allocates all memory that it may use. No block may be handed out twice or overlap another, and no byte may be lost:
 * the last thread gets what the others left in their runs and among their free blocks.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of blocks that each thread allocates or frees
 */
public record ArenaScenario(int threads, int operations) implements Scenario {
    /** Large enough for runs. */
    private static final int SEGMENT_LOG2 = 18;

    private static final long BLOCK_BYTES = 64;
    private static final int MAX_BLOCKS = 3;

    /** After an allocation of this size, the next run may be as long as it will ever be. */
    private static final int FIRST_BYTES = 2048;

    /** Rejects parameters that cannot be run. */
    public ArenaScenario {
        if (operations < 1) {
            throw new IllegalArgumentException(operations + " operations: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = Clusters.drawn(threads, random)
                .segmentSizeLog2(SEGMENT_LOG2)
                .checkMemory(random.nextBoolean())
                .build();
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        Run run = new Run(new BlockBook(config), cluster);
        cluster.run(ct -> run.work(schedule.choices(ct.id()), ct));
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final BlockBook book;
        private final SimulatedCluster cluster;
        private final List<Block> used = new ArrayList<>();
        private int ending;
        private int ended;

        private Run(BlockBook book, SimulatedCluster cluster) {
            this.book = book;
            this.cluster = cluster;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            allocate(FIRST_BYTES, ct);
            for (int i = 0; i < operations; i++) {
                if (!used.isEmpty() && random.nextInt(3) == 0) {
                    free(used.remove(random.nextInt(used.size())), ct);
                } else {
                    used.add(allocate(BLOCK_BYTES * (1 + random.nextInt(MAX_BLOCKS)), ct));
                }
            }
            if (++ending < threads) {
                ct.close();
                ended++;
            } else {
                allocateTheRest(ct);
            }
        }

        private Block allocate(long bytes, ComputeThread ct) {
            Block block = book.handedOut(ct.allocate(bytes), bytes, ct);
            ct.write(block.pointer, block.pointer);
            ct.write(block.pointer + block.bytes - Long.BYTES, block.pointer);
            return block;
        }

        private void free(Block block, ComputeThread ct) {
            if (ct.read(block.pointer) != block.pointer
                    || ct.read(block.pointer + block.bytes - Long.BYTES) != block.pointer) {
                throw new AssertionError(
                        block + " was written by thread " + block.thread + ", and holds another value");
            }
            if (block.uses % 2 == 1) {
                ct.post(block.pointer, 0); // must be placed before the block is handed out again
            }
            book.freed(block, ct);
            ct.free(block.pointer, block.bytes);
        }

        private void allocateTheRest(ComputeThread ct) {
            List<SegmentUse> segments = SegmentUse.of(ct).stream()
                    .filter(segment -> book.mayUse(segment.memoryNode(), ct))
                    .toList();
            segments.stream()
                    .map(segment -> segment.bytes() - segment.used())
                    .sorted((a, b) -> Long.compare(b, a))
                    .forEach(bytes -> allocate(bytes, ct));
            boolean allHaveEnded;
            do { // some are about to leave their free blocks
                ct.pause();
                allHaveEnded = ended == threads - 1;
                for (int blocks = 1; blocks <= MAX_BLOCKS; blocks++) {
                    allocateAll(blocks * BLOCK_BYTES, ct);
                }
            } while (!allHaveEnded);
            long lost = segments.stream()
                    .mapToLong(s -> s.bytes() - SegmentHeader.BYTES - book.inUse(s.memoryNode(), s.segment()))
                    .sum();
            if (lost != 0 && cluster.isOnlyDelayed()) {
                throw new AssertionError(ct + " has allocated all memory that it gets, and " + lost
                        + " bytes that are free are not among it");
            }
        }

        private void allocateAll(long bytes, ComputeThread ct) {
            try {
                while (true) {
                    allocate(bytes, ct);
                }
            } catch (OutOfRemoteMemoryException e) {
                // as intended
            }
        }
    }
}
