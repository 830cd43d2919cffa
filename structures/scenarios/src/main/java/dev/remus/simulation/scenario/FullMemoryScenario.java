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
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Threads replace the blocks that a few words point to, and retire the old ones, in memory that has room for little
 * more than these blocks. Each thread allocates while it holds a pointer to the block that it replaces. It must get
 * its block, since retired ones become free, also those of threads that go offline; and the block that it holds must
 * not be reused meanwhile.
 *
 * <p>In some runs the first thread stands still inside its first operation until the others have ended. Then no memory
 * returns, and each of the others must fail in time, with a message that names a thread.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param factory makes the threads' handles
 */
public record FullMemoryScenario(int threads, int operations, Retirement.Factory factory) implements Scenario {
    private static final int SLOTS = 2;
    private static final long POINTER = -Retirement.BLOCK_BYTES;
    private static final long STAMP = 0x9E37_79B9_7F4A_7C15L;

    private static final int STANDS_STILL_ONE_OF = 8;
    private static final Duration SHORT_WAIT = Duration.ofSeconds(1);
    private static final Duration LONG_WAIT = Duration.ofSeconds(10);

    /** After one of so many operations, a thread goes offline. */
    private static final int LEAVES_ONE_OF = 2;

    /** Of each thread: a reserve and as much again, a block in use, and a retired one. */
    private static final int BLOCKS_OF_A_THREAD = 4;

    /** The first thread has prepared everything, so its reserve is larger. */
    private static final int BLOCKS_OF_THE_FIRST = 16;

    /** Rejects parameters that cannot be run. */
    public FullMemoryScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations
                    + ": needs an even number of threads, and at least one operation");
        }
    }

    /** The scenario with the threads' own retirement. */
    public static FullMemoryScenario shipped(int threads, int operations) {
        return new FullMemoryScenario(threads, operations, Retirement.ofComputeThread(1));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        boolean standsStill = sharesBlocks() && schedule.choices(-1).nextInt(STANDS_STILL_ONE_OF) == 0;
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, 0)
                .computeNodes(1, 2)
                .segmentsPerNode(1)
                .reclaim(factory.setting())
                .allocationWait(standsStill ? SHORT_WAIT : LONG_WAIT)
                .build();
        SimulatedCluster cluster = new SimulatedCluster(config, schedule);
        Run run = new Run(cluster, standsStill);
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
    }

    /** Whether a block that one thread has retired may serve another one; not so with a retirement under test. */
    private boolean sharesBlocks() {
        return factory.setting() == Reclamation.EPOCHS;
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final SimulatedCluster cluster;
        private final Set<Integer> ended = new HashSet<>();
        private RdmaPtr<?> shared = RdmaPtr.nullPointer();
        private long slots;

        /** Whether the first thread stands still. */
        private final boolean standsStill;

        /** How often a block was linked, in all. */
        private long uses;

        Run(SimulatedCluster cluster, boolean standsStill) {
            this.cluster = cluster;
            this.standsStill = standsStill;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                shared = factory.create(ct);
                slots = ct.allocate(SLOTS * Long.BYTES);
                for (int i = 0; i < SLOTS; i++) {
                    ct.write(slots + (long) i * Long.BYTES, RdmaPtr.NULL);
                }
                int blocks = SLOTS + BLOCKS_OF_THE_FIRST + threads * BLOCKS_OF_A_THREAD;
                SegmentUse use = SegmentUse.of(ct).get(0);
                ct.allocate(use.bytes() - use.used() - (long) blocks * Retirement.BLOCK_BYTES);
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            try {
                Retirement retirement = factory.open(shared, ct);
                if (standsStill && ct.id() == 0) {
                    awaitOthers(ct);
                }
                boolean closesEarly = sharesBlocks() && random.nextInt(4) == 0;
                for (int i = 0; i < (closesEarly ? operations / 4 : operations); i++) {
                    long slot = slots + (long) random.nextInt(SLOTS) * Long.BYTES;
                    unlessALaneBreaks(() -> replace(slot, retirement, ct));
                    if (sharesBlocks()
                            && random.nextInt(LEAVES_ONE_OF) == 0) { // at once, with what it has just retired
                        unlessALaneBreaks(() -> retirement.offline(() -> {}, ct));
                    }
                    unlessALaneBreaks(() -> retirement.quiescent(ct));
                }
                if (closesEarly) {
                    return; // and holds nothing up any more
                }
                ended.add(ct.id());
                while (!haveAllEnded()) {
                    unlessALaneBreaks(() -> retirement.quiescent(ct));
                    ct.pause();
                }
            } catch (OutOfRemoteMemoryException e) {
                if (standsStill) {
                    checkNamesAThread(e);
                } else if (cluster.isOnlyDelayed()) {
                    throw e; // else a lost thread holds blocks, or the epoch
                }
            } finally {
                ended.add(ct.id());
            }
        }

        private void awaitOthers(ComputeThread ct) {
            while (ended.size() + cluster.stoppedThreads().size() < threads - 1) {
                ct.pause();
            }
        }

        private void checkNamesAThread(OutOfRemoteMemoryException e) {
            if (!String.valueOf(e.getMessage()).contains("has announced no quiescent state")) {
                throw new AssertionError("the message names no thread that stands still", e);
            }
        }

        private void unlessALaneBreaks(Runnable work) {
            try {
                work.run();
            } catch (OutcomeUnknownException e) {
                // A block that was being linked or replaced stays allocated.
            }
        }

        private boolean haveAllEnded() {
            return ended.size() + cluster.stoppedThreads().size() >= threads;
        }

        private void replace(long slot, Retirement retirement, ComputeThread ct) {
            long seen = ct.read(slot);
            long block = retirement.allocate(ct);
            check(seen, ct);
            long word = block | ++uses & Retirement.BLOCK_BYTES - 1;
            ct.write(block, word * STAMP);
            for (long found = ct.compareAndSwap(slot, seen, word);
                    found != seen;
                    found = ct.compareAndSwap(slot, seen, word)) {
                seen = found;
                ct.pause();
            }
            if (seen != RdmaPtr.NULL) {
                retirement.retire(seen & POINTER, ct);
            }
        }

        private void check(long word, ComputeThread ct) {
            if (word != RdmaPtr.NULL && ct.read(word & POINTER) != word * STAMP) {
                throw new AssertionError(ct + " found the block at (" + RdmaPtr.toString(word & POINTER)
                        + ") reused while it held a pointer to it");
            }
        }
    }
}
