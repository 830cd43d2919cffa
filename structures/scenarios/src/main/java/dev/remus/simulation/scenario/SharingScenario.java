// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.AllocationPolicy;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.BlockBook.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Threads allocate on their own node only, where almost nothing is left, and free blocks that threads of the other node
 * have allocated. So every block goes through the shared free lists. None may be handed out twice or be lost, and no
 * WRITE that its last user posted may arrive after the block was handed out again.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of blocks that each thread tries to allocate or gives back
 */
public record SharingScenario(int threads, int operations) implements Scenario {
    private static final int SEGMENT_LOG2 = 12;
    private static final int BLOCK_BYTES = 64;
    private static final int BLOCKS_PER_NODE = 3;

    /** Rejects parameters that cannot be run. */
    public SharingScenario {
        if (operations < 1) {
            throw new IllegalArgumentException(operations + " operations: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = Clusters.drawn(threads, random)
                .allocationPolicy(AllocationPolicy.LOCAL_RR)
                .segmentsPerNode(1)
                .segmentSizeLog2(SEGMENT_LOG2)
                .checkMemory(random.nextBoolean())
                .build();
        Run run = new Run(new BlockBook(config));
        new SimulatedCluster(config, schedule).prepared(run::useUpMemory).run(ct -> {
            run.work(schedule.choices(ct.id()), ct);
            ct.barrier();
            run.checkNothingIsLost(ct);
        });
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final BlockBook book;
        private final List<Block> used = new ArrayList<>();

        private Run(BlockBook book) {
            this.book = book;
        }

        void useUpMemory(ComputeThread ct) {
            if (ct.index() == 0) {
                long blocks = (book.end(0) - SegmentHeader.BYTES) / BLOCK_BYTES;
                ct.allocate((blocks - BLOCKS_PER_NODE) * BLOCK_BYTES);
                for (int i = 0; i < BLOCKS_PER_NODE; i++) {
                    allocate(ct);
                }
            }
        }

        /** Allocates a block, if there is one. */
        private boolean allocate(ComputeThread ct) {
            long pointer;
            try {
                pointer = ct.allocate(BLOCK_BYTES);
            } catch (OutOfRemoteMemoryException e) {
                return false;
            }
            Block block = book.handedOut(pointer, BLOCK_BYTES, ct);
            ct.write(pointer, stamp(block));
            ct.write(pointer + Long.BYTES, ~stamp(block));
            used.add(block);
            return true;
        }

        private static long stamp(Block block) {
            return block.pointer << 8 | block.uses & 0xFF;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            for (int i = 0; i < operations; i++) {
                List<Block> others = used.stream()
                        .filter(block -> RdmaPtr.node(block.pointer) != ct.nodeId())
                        .toList();
                if (!others.isEmpty() && random.nextBoolean()) {
                    giveBack(others.get(random.nextInt(others.size())), ct);
                } else if (!allocate(ct)) {
                    ct.pause();
                }
            }
        }

        private void giveBack(Block block, ComputeThread ct) {
            used.remove(block);
            if (ct.read(block.pointer) != stamp(block) || ct.read(block.pointer + Long.BYTES) != ~stamp(block)) {
                throw new AssertionError(
                        block + " was written by thread " + block.thread + ", and holds another value");
            }
            ct.post(block.pointer + Long.BYTES, 0); // must be placed before another thread gets the block
            book.freed(block, ct);
            if (block.uses % 2 == 0) {
                ct.free(block.pointer, BLOCK_BYTES);
            } else {
                ct.schedReclaim(block.pointer, BLOCK_BYTES);
                ct.reclaimDeferred();
            }
        }

        void checkNothingIsLost(ComputeThread ct) {
            if (ct.index() == 0) {
                long free = book.free(ct.nodeId());
                while (allocate(ct)) {
                    free--;
                }
                if (free != 0) {
                    throw new AssertionError(free + " blocks were given back on node " + ct.nodeId() + " and are lost");
                }
            }
        }
    }
}
