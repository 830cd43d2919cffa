// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.BlockBook.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Threads replace the blocks that a few words of remote memory point to, retire the old ones, read the current ones,
 * and meet at times to reclaim. No thread may read a block that was given back. Deferred blocks are available again
 * after a barrier, and not before. A double free is reported.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of times each thread reads or replaces a block
 * @param reclaimer the way in which the threads reclaim
 */
public record ReclamationScenario(int threads, int operations, Reclaimer reclaimer) implements Scenario {
    private static final int SLOTS = 3;
    private static final int BETWEEN = 3;
    private static final int BLOCK_BYTES = 64;

    /** A way to reclaim retired blocks. */
    @FunctionalInterface
    public interface Reclaimer {
        /**
         * All threads call it while they are inside no operation.
         *
         * @param reclaim makes the thread's deferred blocks available; call it when no thread can hold a pointer to one
         */
        void meet(Runnable reclaim, ComputeThread ct);
    }

    /** Rejects parameters that cannot be run. */
    public ReclamationScenario {
        if (operations < 1) {
            throw new IllegalArgumentException(operations + " operations: needs at least one");
        }
    }

    /** The scenario as intended: threads reclaim after a barrier. */
    public static ReclamationScenario afterBarrier(int threads, int operations) {
        return new ReclamationScenario(threads, operations, (reclaim, ct) -> {
            ct.barrier();
            reclaim.run();
        });
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = Clusters.drawn(threads, random)
                .checkMemory(random.nextInt(4) > 0)
                .build();
        BlockBook book = new BlockBook(config);
        new SimulatedCluster(config, schedule)
                .prepared(ReclamationScenario::createSlots)
                .run(ct -> new Worker(book, config, schedule.choices(ct.id()), ct).work());
    }

    private static void createSlots(ComputeThread ct) {
        if (ct.id() == 0) {
            long slots = ct.allocate(SLOTS * Long.BYTES);
            for (int i = 0; i < SLOTS; i++) {
                ct.write(slots + (long) i * Long.BYTES, RdmaPtr.NULL);
            }
            ct.root().set(new RdmaPtr<>(slots));
        }
    }

    /** One thread. */
    private final class Worker {
        private final BlockBook book;
        private final boolean checked;
        private final long slots;
        private final SplittableRandom random;
        private final ComputeThread ct;
        private final List<Block> deferred = new ArrayList<>();

        private Worker(BlockBook book, ClusterConfig config, SplittableRandom random, ComputeThread ct) {
            this.book = book;
            this.checked = config.checkMemory();
            this.slots = ct.root().get().raw();
            this.random = random;
            this.ct = ct;
        }

        void work() {
            for (int i = 1; i <= operations; i++) {
                long slot = slots + random.nextLong(SLOTS) * Long.BYTES;
                if (random.nextBoolean()) {
                    replace(slot);
                } else {
                    read(slot);
                }
                if (i % BETWEEN == 0) {
                    reclaimer.meet(this::reclaim, ct);
                }
            }
            ct.barrier();
            reclaim();
            if (checked) {
                ct.barrier(); // from here on no thread allocates until all have tried
                Optional<Block> somebodyElses = book.freeOfAnother(ct);
                somebodyElses.ifPresent(this::mustBeRefused);
                ct.barrier();
            }
            giveBackTwice();
        }

        private Block allocate() {
            return book.handedOut(ct.allocate(BLOCK_BYTES), BLOCK_BYTES, ct);
        }

        private void replace(long slot) {
            Block fresh = allocate();
            ct.write(fresh.pointer, stamp(fresh));
            ct.write(fresh.pointer + Long.BYTES, ~stamp(fresh));
            long seen = ct.read(slot);
            for (long found = ct.compareAndSwap(slot, seen, fresh.pointer);
                    found != seen;
                    found = ct.compareAndSwap(slot, seen, fresh.pointer)) {
                seen = found;
                ct.pause();
            }
            if (seen != RdmaPtr.NULL) {
                deferred.add(book.at(seen));
                ct.schedReclaim(seen, BLOCK_BYTES);
            }
        }

        private static long stamp(Block block) {
            return block.pointer << 8 | block.uses;
        }

        private void read(long slot) {
            long found = ct.read(slot);
            if (found == RdmaPtr.NULL) {
                return;
            }
            Block block = book.at(found);
            checkInUse(block);
            int uses = block.uses;
            long first = ct.read(found);
            ct.pause();
            long second = ct.read(found + Long.BYTES);
            checkInUse(block);
            if (block.uses != uses || first != stamp(block) || second != ~first) {
                throw new AssertionError(ct + " read " + block + " while it was given back and handed out again");
            }
        }

        private void checkInUse(Block block) {
            if (block.isFree) {
                throw new AssertionError(ct + " reads " + block + ", which thread " + block.thread + " has given back");
            }
        }

        private void reclaim() {
            int expected = deferred.size();
            deferred.forEach(block -> book.freed(block, ct));
            int reclaimed = ct.reclaimDeferred();
            if (reclaimed != expected) {
                throw new AssertionError(
                        ct + " had deferred " + expected + " blocks, and reclaimDeferred gave back " + reclaimed);
            }
            boolean mustComeBack = deferred.stream().anyMatch(b -> book.mayUse(RdmaPtr.node(b.pointer), ct));
            deferred.clear();
            if (mustComeBack && random.nextBoolean()) {
                checkReused(allocate());
            }
        }

        /** Checks that a block is one that was just reclaimed, and gives it back at once. */
        private void checkReused(Block block) {
            if (block.uses == 1) {
                throw new AssertionError(
                        ct + " was given new memory, " + block + ", although it had just reclaimed some");
            }
            free(block);
        }

        private void free(Block block) {
            book.freed(block, ct);
            ct.free(block.pointer, BLOCK_BYTES);
        }

        private void giveBackTwice() {
            Block block = allocate();
            if (random.nextBoolean()) {
                free(block);
            } else {
                ct.schedReclaim(block.pointer, BLOCK_BYTES);
            }
            mustBeRefused(block);
        }

        private void mustBeRefused(Block block) {
            try {
                ct.free(block.pointer, BLOCK_BYTES);
            } catch (InvalidFreeException e) {
                return;
            }
            throw new AssertionError(ct + " gave " + block + " back although it was free, and no exception was thrown");
        }
    }
}
