// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.BlockBook.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Threads allocate blocks of random sizes, pass them to each other and give them back, until little memory is left. No
 * block may be handed out twice, overlap another or lie outside the blocks of a segment. A block keeps what its thread
 * writes into it. Memory is exhausted only when no segment has room and the thread has no free block itself.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of blocks that each thread allocates or gives back
 * @param largest the largest block in bytes, from 1 to {@value #LARGEST}
 * @param blocks the source of the blocks
 */
public record AllocatorScenario(int threads, int operations, int largest, Blocks.Factory blocks) implements Scenario {
    /** Small enough that no thread has to share free blocks because it has too many. */
    private static final int SEGMENT_LOG2 = 12;

    /** The size of the largest blocks that threads share, see {@link SegmentLayout#SHARED_LISTS}. */
    static final int LARGEST = SegmentLayout.SHARED_LISTS * SegmentLayout.BLOCK;

    /** Rejects parameters that cannot be run. */
    public AllocatorScenario {
        if (operations < 1 || largest < 1 || largest > LARGEST) {
            throw new IllegalArgumentException("operations " + operations + ", largest block " + largest
                    + ": needs at least one operation, and 1 to " + LARGEST + " bytes");
        }
    }

    /** The scenario with the allocator of the framework. */
    public static AllocatorScenario shipped(int threads, int operations) {
        return new AllocatorScenario(threads, operations, LARGEST, Blocks.ofComputeThread());
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = Clusters.drawn(threads, random)
                .segmentSizeLog2(SEGMENT_LOG2)
                .checkMemory(random.nextBoolean())
                .build();
        Run run = new Run(config, 1 + random.nextInt(largest));
        new SimulatedCluster(config, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(blocks.create(ct));
                    }
                })
                .run(ct -> run.work(blocks.open(ct.root().get()), schedule.choices(ct.id()), ct));
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final ClusterConfig config;
        private final BlockBook book;
        private final int largest;

        /** Blocks of all threads: any thread may give any of them back. */
        private final List<Block> used = new ArrayList<>();

        /** Bytes that threads have requested and that the book has not seen handed out yet. */
        private long asked;

        private Run(ClusterConfig config, int largest) {
            this.config = config;
            this.book = new BlockBook(config);
            this.largest = largest;
        }

        void work(Blocks mine, SplittableRandom random, ComputeThread ct) {
            for (int i = 0; i < operations; i++) {
                if (!used.isEmpty() && random.nextInt(3) == 0) {
                    giveBack(used.remove(random.nextInt(used.size())), mine, ct);
                } else {
                    allocate(1 + random.nextInt(largest), mine, ct);
                }
            }
        }

        private void allocate(long bytes, Blocks mine, ComputeThread ct) {
            long size = SegmentLayout.blockBytes(bytes);
            asked += size;
            Block block;
            try {
                block = book.handedOut(mine.allocate(bytes, ct), bytes, ct);
                asked -= size;
            } catch (OutOfRemoteMemoryException e) {
                asked -= size;
                checkFull(bytes, ct, e);
                return;
            }
            ct.write(block.pointer, stamp(block));
            ct.write(block.pointer + block.bytes - Long.BYTES, stamp(block));
            used.add(block);
        }

        private long stamp(Block block) {
            return block.pointer << 8 | block.uses;
        }

        private void giveBack(Block block, Blocks mine, ComputeThread ct) {
            checkWord(block, block.pointer, ct);
            checkWord(block, block.pointer + block.bytes - Long.BYTES, ct);
            book.freed(block, ct);
            mine.free(block.pointer, block.bytes, ct);
        }

        private void checkWord(Block block, long at, ComputeThread ct) {
            long found = ct.read(at);
            if (found != stamp(block)) {
                throw new AssertionError(block + " was written by thread " + block.thread + ", and at ("
                        + RdmaPtr.toString(at) + ") it holds another value, " + found);
            }
        }

        private void checkFull(long bytes, ComputeThread ct, OutOfRemoteMemoryException e) {
            if (book.givenBack(bytes, ct) > 0) {
                throw new AssertionError(ct + " has given back a block of " + bytes + " bytes and gets none", e);
            }
            for (int node = config.firstMemoryNode(); node <= config.lastMemoryNode(); node++) {
                for (int segment = 0; segment < config.segmentsPerNode(); segment++) {
                    // A thread that finds too little room for its request wastes the rest of the segment.
                    long wasted = SegmentLayout.blockBytes(largest);
                    if (book.mayUse(node, ct) && book.end(segment) - book.used(node, segment) - asked >= wasted) {
                        throw new AssertionError(
                                ct + " gets no block of " + bytes + " bytes, although segment " + segment
                                        + " of Memory Node " + node + " has room",
                                e);
                    }
                }
            }
        }
    }
}
