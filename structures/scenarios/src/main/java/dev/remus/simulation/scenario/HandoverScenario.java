// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Threads hand over posted WRITEs by the barrier and by the root; each receiver must see them. They set, swap and add
 * to the root at the same moment, and each change must count once. A WRITE posted to a block before it was freed must
 * not arrive when the block is in use again. Finally all of them free the same block at the same moment: one may
 * succeed, and all others must get an exception.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of repetitions
 */
public record HandoverScenario(int threads, int rounds) implements Scenario {
    private static final int BLOCK_BYTES = 64;

    /** Rejects parameters that cannot be run. */
    public HandoverScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Run run = new Run();
        new SimulatedCluster(
                        Clusters.drawn(threads, schedule.choices(-1))
                                .checkMemory(true)
                                .build(),
                        schedule)
                .prepared(ct -> run.mine.put(ct.id(), ct.allocate(BLOCK_BYTES)))
                .run(ct -> {
                    for (int round = 1; round <= rounds; round++) {
                        run.throughBarrier(round, ct);
                        run.throughRoot(round, ct);
                        run.allAtTheRoot(round, ct);
                        run.throughTheAllocator(round, ct);
                    }
                    ct.close(); // as its node does again
                });
    }

    /** The state that the threads of one run share. */
    private final class Run {
        /** A block of each thread. */
        private final Map<Integer, Long> mine = new HashMap<>();

        /** The root's pointer before all change it, and the pointers swapped out since. */
        private final Set<Long> swappedOut = new HashSet<>();

        private int firstAtTheRoot;

        /** The number of threads that could free the block of this round. */
        private int givenBack;

        private long mineOf(ComputeThread ct) {
            return Objects.requireNonNull(mine.get(ct.id()), "prepared");
        }

        void throughBarrier(int round, ComputeThread ct) {
            long block = mineOf(ct);
            for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                ct.post(block + i, round);
            }
            ct.barrier();
            for (long each : mine.values()) {
                checkIs(round, each, "posting it before the barrier", ct);
            }
            ct.barrier();
        }

        void throughRoot(int round, ComputeThread ct) {
            if (ct.id() == round % threads) {
                long gift = ct.allocate(BLOCK_BYTES);
                for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                    ct.post(gift + i, round);
                }
                ct.root().set(new RdmaPtr<>(gift));
            }
            RdmaPtr<?> seen = ct.root().get();
            while (seen.isNull()) {
                ct.pause();
                seen = ct.root().get();
            }
            checkIs(round, seen.raw(), "posting it before the root was set", ct);
            ct.barrier();
            if (ct.id() == round % threads) {
                ct.root().set(new RdmaPtr<>(RdmaPtr.NULL));
                givenBack = 0;
            }
            ct.barrier();
            giveBackTogether(round, seen.raw(), ct);
        }

        /** Null is replaced once; each pointer swapped in is swapped out once; each addition has a different sum. */
        void allAtTheRoot(int round, ComputeThread ct) {
            long first = give(mineOf(ct), round, 1, ct);
            RdmaPtr<?> found = ct.root().compareAndExchange(RdmaPtr.nullPointer(), new RdmaPtr<>(first));
            firstAtTheRoot += found.isNull() ? 1 : 0;
            if (!found.isNull()) {
                checkIs(stamp(round, 1), found.raw(), "posting it before the root was set if it was null", ct);
            }
            ct.barrier();
            checkCount(1, firstAtTheRoot, "of all threads that set the root if it was null have done so");

            long second = give(ct.allocate(BLOCK_BYTES), round, 2, ct);
            RdmaPtr<?> out = ct.root().getAndSet(new RdmaPtr<>(second));
            if (!mine.containsValue(out.raw())) {
                checkIs(stamp(round, 2), out.raw(), "posting it before it was swapped in at the root", ct);
            }
            swappedOut.add(out.raw());
            ct.barrier();
            checkCount(threads, swappedOut.size(), "different pointers were swapped out of the root, by all threads");
            boolean isLast = ct.root().compareAndSet(new RdmaPtr<>(second), RdmaPtr.nullPointer());
            if (isLast && swappedOut.contains(second)) {
                throw new AssertionError("a pointer that was swapped out of the root is there again");
            }
            ct.barrier();
            firstAtTheRoot = 0;
            swappedOut.clear();
            ct.free(second, BLOCK_BYTES);

            give(mineOf(ct), round, 3, ct);
            long before = ct.root().fetchAndAdd(1);
            long there = mine.values().stream()
                    .filter(block -> ct.read(block) == stamp(round, 3))
                    .count();
            if (there <= before) {
                throw new AssertionError(ct + " has added to the root after " + before + " others and sees what "
                        + there + " threads had posted before");
            }
            ct.barrier();
            ct.root().fetchAndAdd(-1);
            ct.barrier();
            if (!ct.root().get().isNull()) {
                throw new AssertionError(
                        "the root is " + ct.root().get() + ", although the additions cancel each other");
            }
            ct.barrier();
        }

        private long stamp(int round, int step) {
            return (long) round << 8 | step;
        }

        private long give(long block, int round, int step, ComputeThread ct) {
            for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                ct.post(block + i, stamp(round, step));
            }
            return block;
        }

        private void checkCount(long expected, long found, String what) {
            if (found != expected) {
                throw new AssertionError(found + " " + what + ", not " + expected);
            }
        }

        /** A WRITE posted to a block before it was freed must not arrive after the block was handed out again. */
        void throughTheAllocator(int round, ComputeThread ct) {
            long given = ct.allocate(BLOCK_BYTES);
            for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                ct.post(given + i, -round);
            }
            if (round % 2 == 0) {
                ct.free(given, BLOCK_BYTES);
            } else {
                ct.schedReclaim(given, BLOCK_BYTES);
                ct.reclaimDeferred();
            }
            long back = ct.allocate(BLOCK_BYTES);
            for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                ct.write(back + i, round);
            }
            ct.pause();
            checkIs(round, back, "writing it, to a block that was given back and handed out again", ct);
            ct.free(back, BLOCK_BYTES);
        }

        private void checkIs(long stamp, long block, String way, ComputeThread ct) {
            for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                long found = ct.read(block + i);
                if (found != stamp) {
                    throw new AssertionError(ct + " reads " + found + " at (" + RdmaPtr.toString(block + i)
                            + "), where " + stamp + " was to be after " + way);
                }
            }
        }

        private void giveBackTogether(int round, long block, ComputeThread ct) {
            try {
                if (round % 2 == 0) {
                    ct.free(block, BLOCK_BYTES);
                } else {
                    ct.schedReclaim(block, BLOCK_BYTES);
                }
                givenBack++;
            } catch (InvalidFreeException e) {
                // required of all but one
            }
            ct.barrier();
            if (givenBack != 1) {
                throw new AssertionError(givenBack + " threads have given the block at (" + RdmaPtr.toString(block)
                        + ") back, and no exception was thrown");
            }
            ct.reclaimDeferred();
        }
    }
}
