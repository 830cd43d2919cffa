// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.Reclamation;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * A thread comes back from work offline and holds a pointer, while another thread retires the block and does all it can
 * to reuse it. It must not get the block before the first thread has passed a quiescent state, and nothing that the
 * first thread has posted to the block may arrive afterwards. In some runs lanes of the first thread break, or one
 * cannot be connected for a while. If that happens as it comes back, it comes back in a later quiescent state.
 *
 * @param threads the number of threads, which is even; those behind the second one do nothing
 * @param rounds how often this happens
 */
public record ComeBackScenario(int threads, int rounds) implements Scenario {
    private static final int HOLDS = 0;
    private static final int REUSES = 1;
    private static final int BLOCK_BYTES = 64;
    private static final long STAMP = 0x9E37_79B9_7F4A_7C15L;

    /** The word that the first thread posts to. */
    private static final int TOUCHED = 16;

    /** So many quiescent states that a thread looks at the epoch in one of them. */
    private static final int STATES_OF_A_LOOK = 70;

    /** More looks than it takes to reclaim a block that no thread holds up. */
    private static final int LOOKS = 5;

    private static final int MOST_LOOKS = 200;
    private static final int MOST_ATTEMPTS = 400;
    private static final long RETRY_NANOS = 1_000_000;
    private static final int BREAKS = 6;
    private static final int LATEST_WAIT = 60;

    /** The waits of a thread until it is offline, and online again. */
    private static final int FIRST_WAITS = 8;

    /** Rejects parameters that cannot be run. */
    public ComeBackScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, 0)
                .computeNodes(1, threads)
                .threadsPerNode(1)
                .lanes(4)
                .reclaim(Reclamation.EPOCHS)
                .build();
        Run run = new Run();
        new SimulatedCluster(config, withTrouble(schedule, random))
                .prepared(run::prepare)
                .run(run::work);
    }

    private static Schedule withTrouble(Schedule schedule, SplittableRandom random) {
        if (random.nextBoolean()) {
            return schedule;
        }
        boolean isStuck = random.nextBoolean();
        Strike[] strikes = random.ints(isStuck ? 1 : BREAKS, 1, isStuck ? FIRST_WAITS : LATEST_WAIT)
                .mapToObj(wait -> new Strike(isStuck ? Fault.STUCK_LANES : Fault.BROKEN_LANES, HOLDS, wait))
                .toArray(Strike[]::new);
        return schedule.withFaults(Set.of()).withStrikes(strikes);
    }

    /** The state that the threads of one run share. Each number is that of the last round in which this happened. */
    private final class Run {
        private long slot;
        private long stamps;

        /** The first thread holds the block of the slot. */
        private int held;

        /** The second thread has retired it, and has tried to reuse it. */
        private int retired;

        /** The first thread has posted to it, and holds no pointer any more. */
        private int left;

        /** The second thread has reused it. */
        private int reused;

        /** What the first thread has posted is placed. */
        private int placed;

        /** Whether a thread has ended. */
        private boolean isOver;

        void prepare(ComputeThread ct) {
            if (ct.id() == HOLDS) {
                slot = ct.allocate(Long.BYTES);
                ct.write(slot, newBlock(ct));
            }
        }

        void work(ComputeThread ct) {
            try {
                for (int round = 1; round <= rounds && !isOver; round++) {
                    if (ct.id() == HOLDS) {
                        hold(round, ct);
                    } else if (ct.id() == REUSES) {
                        reuse(round, ct);
                    }
                }
            } finally {
                isOver |= ct.id() <= REUSES;
            }
        }

        // ---------------------------------------------------------------------------------------- the first thread

        private void hold(int round, ComputeThread ct) {
            comeBack(ct);
            long block = again(() -> ct.read(slot), ct);
            long stamp = again(() -> ct.read(block), ct);
            held = round;
            while (retired < round && !isOver) {
                ct.pause();
            }
            if (again(() -> ct.read(block), ct) != stamp) { // fails if the block is free
                throw new AssertionError("the block at (" + RdmaPtr.toString(block) + ") was reused while " + ct
                        + " held a pointer to it");
            }
            ct.post(block + TOUCHED, stamp); // as it is
            left = round;
            while (reused < round && !isOver) {
                rest(ct);
            }
            ct.place();
            placed = round;
        }

        private void comeBack(ComputeThread ct) {
            try {
                ct.offline(() -> {});
            } catch (OutcomeUnknownException e) {
                // A lane broke, and the thread is online all the same.
            } catch (FabricException e) {
                for (int attempts = 0; !isOnline(ct); attempts++) {
                    if (attempts == MOST_ATTEMPTS) {
                        throw e;
                    }
                    ct.pause(RETRY_NANOS);
                }
            }
        }

        /** Whether the thread has looked at the epoch, for which it must be online. */
        private boolean isOnline(ComputeThread ct) {
            try {
                rest(ct);
                return true;
            } catch (FabricException e) {
                return false; // the lane is not connected yet
            }
        }

        private static long again(LongSupplier read, ComputeThread ct) {
            for (int attempts = 0; ; attempts++) {
                try {
                    return read.getAsLong();
                } catch (FabricException e) {
                    if (attempts == MOST_ATTEMPTS) {
                        throw e;
                    }
                    ct.pause(RETRY_NANOS);
                }
            }
        }

        private static void rest(ComputeThread ct) {
            for (int i = 0; i < STATES_OF_A_LOOK; i++) {
                ct.quiescent();
            }
            ct.pause();
        }

        // --------------------------------------------------------------------------------------- the second thread

        private void reuse(int round, ComputeThread ct) {
            while (held < round && !isOver) {
                rest(ct);
            }
            long before = ct.read(slot);
            ct.write(slot, newBlock(ct));
            ct.schedReclaim(before, BLOCK_BYTES);
            for (int look = 0; look < LOOKS; look++) {
                rest(ct);
            }
            ct.free(newBlock(ct), BLOCK_BYTES);
            retired = round;
            while (left < round && !isOver) {
                rest(ct);
            }
            for (int look = 0; ct.metrics().retired() > 0 && look < MOST_LOOKS && !isOver; look++) {
                rest(ct);
            }
            long block = newBlock(ct);
            reused = round;
            while (placed < round && !isOver) {
                rest(ct);
            }
            if (ct.read(block + TOUCHED) != ct.read(block)) {
                throw new AssertionError("an operation on an earlier block has changed the one at ("
                        + RdmaPtr.toString(block) + "), which " + ct + " has allocated since");
            }
            ct.free(block, BLOCK_BYTES);
        }

        private long newBlock(ComputeThread ct) {
            long block = ct.allocate(BLOCK_BYTES);
            long stamp = ++stamps * STAMP;
            ct.write(block, stamp);
            ct.write(block + TOUCHED, stamp);
            return block;
        }
    }
}
