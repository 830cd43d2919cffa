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
 * block may be handed out twice, overlap another or lie outside the blocks of a segment; what a thread has written into
 * its block stays there; and memory is exhausted only when no segment has room and the thread has no free block itself.
 *
 * @param threads how many threads, an even number
 * @param operations how many blocks each thread allocates or gives back
 * @param largest the largest block in bytes, from 1 to {@value #LARGEST}
 * @param blocks where the blocks come from
 */
public record AllocatorScenario(int threads, int operations, int largest, Blocks.Factory blocks) implements Scenario {
    /** Small enough that no thread ever shares what it has given back because it has too much. */
    private static final int SEGMENT_LOG2 = 12;

    /** Of the largest blocks that threads share, see {@link SegmentLayout#SHARED_LISTS}. */
    static final int LARGEST = SegmentLayout.SHARED_LISTS * SegmentLayout.BLOCK;

    /** Refuses what cannot be run. */
    public AllocatorScenario {
        if (operations < 1 || largest < 1 || largest > LARGEST) {
            throw new IllegalArgumentException("operations " + operations + ", largest block " + largest
                    + ": needs at least one operation, and 1 to " + LARGEST + " bytes");
        }
    }

    /** With the allocator of the framework. */
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

    /** What the threads of one run share. */
    private final class Run {
        private final ClusterConfig config;
        private final BlockBook book;
        private final int largest;

        /** Whose blocks these are does not matter to the allocator: anybody may give them back. */
        private final List<Block> used = new ArrayList<>();

        /** Bytes that threads have asked for and not been given yet, as far as the book knows. */
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
                        + RdmaPtr.toString(at) + ") somebody else's " + found + " is found");
            }
        }

        private void checkFull(long bytes, ComputeThread ct, OutOfRemoteMemoryException e) {
            if (book.givenBack(bytes, ct) > 0) {
                throw new AssertionError(ct + " has given back a block of " + bytes + " bytes and gets none", e);
            }
            for (int node = config.firstMemoryNode(); node <= config.lastMemoryNode(); node++) {
                for (int segment = 0; segment < config.segmentsPerNode(); segment++) {
                    // A thread that finds too little room for its request has wasted what there was.
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
