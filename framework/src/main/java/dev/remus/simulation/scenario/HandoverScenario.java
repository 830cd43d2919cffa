package dev.remus.simulation.scenario;

import dev.remus.memory.InvalidFreeException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Threads hand over what they have posted, by the barrier and by the root, and it must be there for those who take it. What
 * they have posted to a block and given that back, must not come when the block is used again. And all of them give the same block back at the same moment, which one of them may do and all others must be told.
 *
 * @param threads how many threads, an even number
 * @param rounds how often
 */
public record HandoverScenario(int threads, int rounds) implements Scenario {
    private static final int BLOCK_BYTES = 64;

    /** Refuses what cannot be run. */
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
                        run.throughTheAllocator(round, ct);
                    }
                });
    }

    /** What the threads of one run share. */
    private final class Run {
        /** By thread, a block. */
        private final Map<Integer, Long> mine = new HashMap<>();

        /** How many threads could give back the block of this round. */
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
                ct.setRoot(new RdmaPtr<>(gift));
            }
            RdmaPtr<?> seen = ct.getRoot();
            while (seen.isNull()) {
                ct.pause();
                seen = ct.getRoot();
            }
            checkIs(round, seen.raw(), "posting it before the root was set", ct);
            ct.barrier();
            if (ct.id() == round % threads) {
                ct.setRoot(new RdmaPtr<>(RdmaPtr.NULL));
                givenBack = 0;
            }
            ct.barrier();
            giveBackTogether(round, seen.raw(), ct);
        }

        /** What was posted to a block before it was given back must not come after it was handed out again. */
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

        private void checkIs(int round, long block, String way, ComputeThread ct) {
            for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
                long found = ct.read(block + i);
                if (found != round) {
                    throw new AssertionError(ct + " reads " + found + " in round " + round + " at ("
                            + RdmaPtr.toString(block + i) + "), where " + round + " was to be after " + way);
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
                // as it must be for all but one
            }
            ct.barrier();
            if (givenBack != 1) {
                throw new AssertionError(givenBack + " threads have given the block at (" + RdmaPtr.toString(block)
                        + ") back, and nobody minded");
            }
            ct.reclaimDeferred();
        }
    }
}
