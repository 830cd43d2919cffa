// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentHeader;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.BlockBook.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rare cases of the allocator, in two threads: blocks on a certain Memory Node; large blocks, which threads do not
 * share; a thread that is closed with free blocks and opened again; bundles of free blocks that go from thread to
 * thread while memory is full; and segments with less room than a request. No block may be handed out twice. A thread
 * gets what it has freed or left to others before any new memory, and in the end no byte is lost.
 *
 * <p>In some runs memory is reclaimed by epochs. Then they end before memory is full.
 *
 * @param threads the number of threads, which is even; those behind the second one do nothing
 * @param operations the number of blocks that the first thread allocates or frees at random
 */
public record AllocationEdgesScenario(int threads, int operations) implements Scenario {
    private static final int ALLOCATES = 0;
    private static final int HELPS = 1;

    /** Large enough for the runs of threads that allocate on their own node. */
    private static final int SEGMENT_LOG2 = 16;

    private static final long BLOCK_BYTES = 64;
    private static final int MAX_BLOCKS = 3;

    /** After an allocation of this size, the next run may be as long as it will ever be. */
    private static final int FIRST_BYTES = 2048;

    /** The largest size whose bump pointer is advanced without a look. */
    private static final int LARGE_BYTES = 4096;

    /** More large blocks than a thread keeps of a size that it shares. */
    private static final int LARGE_BLOCKS = 5;

    /** What one thread allocates and the other one frees. */
    private static final int FOREIGN_BYTES = 32 << 10;

    /** The largest size that threads share. */
    private static final int SHARED_BYTES = 1024;

    private static final int SHARED_BLOCKS = 25;

    /** How many of these the thread keeps that frees them. */
    private static final int KEPT_BLOCKS = 16;

    private static final int LEFT_BLOCKS = 5;

    /** How many blocks a segment has left when memory is almost full. */
    private static final int LAST_BLOCKS = 6;

    private static final int EPOCHS_ONE_IN = 4;
    private static final long POLL_NANOS = 20_000;

    /** Rejects parameters that cannot be run. */
    public AllocationEdgesScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations
                    + ": needs an even number of threads, and at least one operation");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        boolean hasEpochs = random.nextInt(EPOCHS_ONE_IN) == 0;
        ClusterConfig config = Clusters.drawn(threads, random)
                .segmentsPerNode(2)
                .segmentSizeLog2(SEGMENT_LOG2)
                .reclaim(hasEpochs ? Reclamation.EPOCHS : Reclamation.BARRIER)
                .checkMemory(random.nextBoolean())
                .build();
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        Run run = new Run(config, cluster);
        cluster.run(ct -> {
            if (ct.id() == ALLOCATES) {
                run.allocate(schedule.choices(ct.id()), ct);
            } else if (ct.id() == HELPS) {
                run.help(schedule.choices(ct.id()), ct);
            }
        });
    }

    /** What has happened so far, in this order. */
    private enum Moment {
        BEGINS,
        HAS_FOREIGN_BLOCK,
        HAS_ALL_BLOCKS,
        IS_ALMOST_FULL,
        LARGE_ONE_FAILED,
        OTHER_HAS_TAKEN,
        IS_FULL,
        IS_OVER
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final ClusterConfig config;
        private final SimulatedCluster cluster;
        private final BlockBook book;

        /** Whether the threads may allocate on the same Memory Nodes. */
        private final boolean sharesMemory;

        private Moment moment = Moment.BEGINS;
        private @Nullable Block foreign;

        Run(ClusterConfig config, SimulatedCluster cluster) {
            this.config = config;
            this.cluster = cluster;
            this.book = new BlockBook(config);
            this.sharesMemory = !config.allocationPolicy().isLocal();
        }

        private void await(Moment wanted, ComputeThread ct) {
            while (moment.compareTo(wanted) < 0) {
                ct.pause(POLL_NANOS);
            }
        }

        private boolean mayHaveLost() {
            return !cluster.isOnlyDelayed();
        }

        // ---------------------------------------------------------------------------------------- the first thread

        void allocate(SplittableRandom random, ComputeThread ct) {
            take(FIRST_BYTES, ct);
            allocateAtRandom(random, ct);
            await(Moment.HAS_FOREIGN_BLOCK, ct);
            gets(LARGE_BYTES, LARGE_BLOCKS, ct);
            gets(2 * LARGE_BYTES, 1, ct);
            freeForeign(ct);
            reopen(random, ct);
            if (config.reclaim() == Reclamation.BARRIER) {
                fill(ct);
            }
            moment = Moment.IS_OVER;
        }

        private void allocateAtRandom(SplittableRandom random, ComputeThread ct) {
            List<Block> used = new ArrayList<>();
            for (int i = 0; i < operations; i++) {
                long bytes = BLOCK_BYTES * (1 + random.nextInt(MAX_BLOCKS));
                if (!used.isEmpty() && random.nextInt(3) == 0) {
                    free(used.remove(random.nextInt(used.size())), ct);
                } else if (random.nextBoolean()) {
                    used.add(take(bytes, ct));
                } else {
                    used.add(takeOn(random.nextInt(2), bytes, ct));
                }
            }
        }

        /** Allocates large blocks, frees them and gets them again. */
        private void gets(int bytes, int count, ComputeThread ct) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                blocks.add(take(bytes, ct));
            }
            blocks.forEach(block -> free(block, ct));
            withoutNewMemory("its own free blocks", ct, () -> {
                for (int i = 0; i < count; i++) {
                    take(bytes, ct);
                }
            });
        }

        private void freeForeign(ComputeThread ct) {
            free(Objects.requireNonNull(foreign, "no other block"), ct);
            withoutNewMemory("a block that it has freed", ct, () -> take(FOREIGN_BYTES, ct));
        }

        /** Closes the thread with free blocks, and opens it again. */
        private void reopen(SplittableRandom random, ComputeThread ct) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < LEFT_BLOCKS; i++) {
                blocks.add(take(BLOCK_BYTES, ct));
            }
            blocks.forEach(block -> free(block, ct));
            ct.close();
            if (cluster.computeNode(ct.nodeId()).openThread(ct.index()) != ct) {
                throw new AssertionError(ct + " is another one after it was opened again");
            }
            withoutNewMemory("blocks that it has left when it was closed", ct, () -> {
                boolean isAnywhere = random.nextBoolean();
                for (Block block : blocks) {
                    if (isAnywhere) {
                        take(BLOCK_BYTES, ct);
                    } else {
                        takeOn(RdmaPtr.node(block.pointer), BLOCK_BYTES, ct);
                    }
                }
            });
        }

        private void withoutNewMemory(String what, ComputeThread ct, Runnable allocation) {
            long before = used(ct);
            allocation.run();
            long after = used(ct);
            if (after != before && !mayHaveLost()) {
                throw new AssertionError(
                        ct + " has taken " + (after - before) + " bytes of new memory instead of " + what);
            }
        }

        private long used(ComputeThread ct) {
            return SegmentUse.of(ct).stream().mapToLong(SegmentUse::used).sum();
        }

        private void fill(ComputeThread ct) {
            List<Block> shared = new ArrayList<>();
            for (int i = 0; i < SHARED_BLOCKS; i++) {
                shared.add(take(SHARED_BYTES, ct));
            }
            moment = Moment.HAS_ALL_BLOCKS;
            if (!sharesMemory) {
                takeAllButTheLast(ct);
            }
            await(Moment.IS_ALMOST_FULL, ct);
            checkFull(LARGE_BYTES + BLOCK_BYTES, ct);
            moment = Moment.LARGE_ONE_FAILED;
            await(Moment.OTHER_HAS_TAKEN, ct);
            takeAllSmall(ct);
            checkFull(LARGE_BYTES + BLOCK_BYTES, ct);
            moment = Moment.IS_FULL;
            if (sharesMemory) {
                shared.forEach(block -> free(block, ct));
            }
            await(Moment.IS_OVER, ct);
            takeAll(SHARED_BYTES, ct);
            takeAllSmall(ct);
            long lost = SegmentUse.of(ct).stream()
                    .filter(segment -> book.mayUse(segment.memoryNode(), ct))
                    .mapToLong(s -> s.bytes() - SegmentHeader.BYTES - book.inUse(s.memoryNode(), s.segment()))
                    .sum();
            if (lost != 0 && !mayHaveLost()) {
                throw new AssertionError(ct + " has allocated all memory that it gets, and " + lost
                        + " bytes that are free are not among it");
            }
        }

        /** Leaves some blocks in each segment. */
        private void takeAllButTheLast(ComputeThread ct) {
            SegmentUse.of(ct).stream()
                    .filter(segment -> book.mayUse(segment.memoryNode(), ct))
                    .map(segment -> segment.bytes() - segment.used() - LAST_BLOCKS * BLOCK_BYTES)
                    .sorted((a, b) -> Long.compare(b, a))
                    .filter(bytes -> bytes > 0)
                    .forEach(bytes -> take(bytes, ct));
        }

        private void checkFull(long bytes, ComputeThread ct) {
            if (takeIfAny(() -> ct.allocate(bytes), bytes, ct) != null) {
                throw new AssertionError(ct + " was given " + bytes + " bytes, for which no segment has room");
            }
        }

        private void takeAllSmall(ComputeThread ct) {
            for (int blocks = MAX_BLOCKS; blocks > 0; blocks--) {
                takeAll(blocks * BLOCK_BYTES, ct);
            }
        }

        private void takeAll(long bytes, ComputeThread ct) {
            while (takeIfAny(() -> ct.allocate(bytes), bytes, ct) != null) {
                // there may be another one
            }
        }

        // --------------------------------------------------------------------------------------- the second thread

        void help(SplittableRandom random, ComputeThread ct) {
            foreign = take(FOREIGN_BYTES, ct);
            moment = Moment.HAS_FOREIGN_BLOCK;
            await(Moment.HAS_ALL_BLOCKS, ct);
            if (moment == Moment.HAS_ALL_BLOCKS) {
                helpToFill(random, ct);
            }
            ct.close();
            moment = Moment.IS_OVER;
        }

        /** The first thread does not know what this one takes, until it allocates there itself. */
        private void helpToFill(SplittableRandom random, ComputeThread ct) {
            if (sharesMemory) {
                takeAllButTheLast(ct);
            }
            moment = Moment.IS_ALMOST_FULL;
            await(Moment.LARGE_ONE_FAILED, ct);
            if (sharesMemory) {
                for (int left = 1 + random.nextInt(MAX_BLOCKS - 1); left < LAST_BLOCKS; left++) {
                    take(() -> ct.allocateOn(0, BLOCK_BYTES), BLOCK_BYTES, ct);
                }
            }
            moment = Moment.OTHER_HAS_TAKEN;
            await(Moment.IS_FULL, ct);
            if (sharesMemory) {
                passBack(ct);
            }
        }

        /** Takes the blocks that the first thread has not kept, as soon as it shares them, and leaves them. */
        private void passBack(ComputeThread ct) {
            List<Block> blocks = new ArrayList<>();
            while (blocks.size() < SHARED_BLOCKS - KEPT_BLOCKS && !mayHaveLost()) {
                Block block = takeIfAny(() -> ct.allocate(SHARED_BYTES), SHARED_BYTES, ct);
                if (block == null) {
                    ct.pause(POLL_NANOS);
                } else {
                    blocks.add(block);
                }
            }
            blocks.forEach(block -> free(block, ct));
        }

        // ------------------------------------------------------------------------------------------------- blocks

        private Block take(long bytes, ComputeThread ct) {
            return take(() -> ct.allocate(bytes), bytes, ct);
        }

        private Block takeOn(int memoryNode, long bytes, ComputeThread ct) {
            Block block = take(() -> ct.allocateOn(memoryNode, bytes), bytes, ct);
            if (RdmaPtr.node(block.pointer) != memoryNode && book.mayUse(memoryNode, ct)) {
                throw new AssertionError(ct + " was given " + block + " instead of one on Memory Node " + memoryNode);
            }
            return block;
        }

        private @Nullable Block takeIfAny(LongSupplier allocation, long bytes, ComputeThread ct) {
            try {
                return take(allocation, bytes, ct);
            } catch (OutOfRemoteMemoryException e) {
                return null;
            }
        }

        private Block take(LongSupplier allocation, long bytes, ComputeThread ct) {
            Block block = book.handedOut(allocation.getAsLong(), bytes, ct);
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
            ct.post(block.pointer, 0); // must be placed before the block is handed out again
            book.freed(block, ct);
            ct.free(block.pointer, block.bytes);
        }
    }
}
