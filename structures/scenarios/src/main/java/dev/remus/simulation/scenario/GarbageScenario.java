// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.SplittableRandom;

/**
 * Threads retire few or many blocks between quiescent states, and pause at times. However slow others are, no thread
 * may hold a block any longer once it has announced the third epoch after the one in which it retired the block.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param factory makes the threads' handles
 */
public record GarbageScenario(int threads, int operations, Retirement.Factory factory) implements Scenario {
    /** The epoch in which a block is retired, and the two after it. */
    private static final int EPOCHS_OF_A_BLOCK = 3;

    private static final int MOST_BLOCKS = 4;
    private static final int MOST_ROUNDS = 200;

    /** Rejects parameters that cannot be run. */
    public GarbageScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations
                    + ": needs an even number of threads, and at least one operation");
        }
    }

    /** The scenario with the threads' own retirement. */
    public static GarbageScenario shipped(int threads, int operations) {
        return new GarbageScenario(threads, operations, Retirement.ofComputeThread());
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        ClusterConfig config = Clusters.drawn(threads, schedule.choices(-1))
                .reclaim(factory.setting())
                .build();
        Run run = new Run();
        new SimulatedCluster(config, schedule)
                .prepared(run::prepare)
                .run(ct -> run.new Worker(schedule.choices(ct.id()), ct).work());
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private RdmaPtr<?> shared = RdmaPtr.nullPointer();

        /** Whether a thread has left blocks behind, which others of its node may have taken over. */
        private boolean areSomeLeft;

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                shared = factory.create(ct);
            }
        }

        /** One thread. */
        private final class Worker {
            private final SplittableRandom random;
            private final ComputeThread ct;
            private final Retirement retirement;

            /** How many blocks the thread has retired in each epoch that counts, the present one first. */
            private final int[] retiredIn = new int[EPOCHS_OF_A_BLOCK];

            private long epoch;

            Worker(SplittableRandom random, ComputeThread ct) {
                this.random = random;
                this.ct = ct;
                this.retirement = open();
                this.epoch = retirement.staleness(ct);
            }

            private Retirement open() {
                while (true) {
                    try {
                        return factory.open(shared, ct);
                    } catch (OutcomeUnknownException e) {
                        ct.pause(); // a lane has broken
                    }
                }
            }

            void work() {
                try {
                    for (int i = 0; i < operations; i++) {
                        for (int blocks = random.nextInt(MOST_BLOCKS); blocks > 0; blocks--) {
                            unlessALaneBreaks(this::retire);
                        }
                        if (random.nextInt(4) == 0) {
                            ct.pause();
                        }
                        unlessALaneBreaks(this::rest);
                    }
                    drain();
                } finally {
                    areSomeLeft |= retirement.held(ct) > 0;
                }
            }

            private void unlessALaneBreaks(Runnable step) {
                try {
                    step.run();
                } catch (OutcomeUnknownException e) {
                    // A block that was being retired stays allocated, or is retired.
                } catch (FabricException e) {
                    areSomeLeft = true;
                    throw e;
                }
                check();
            }

            private void retire() {
                long block = retirement.allocate(ct);
                retiredIn[0]++;
                retirement.retire(block, ct);
            }

            private void rest() {
                retirement.quiescent(ct);
            }

            /** Lets a thread that goes on find nothing to take over. */
            private void drain() {
                for (int round = 0; round < MOST_ROUNDS && retirement.held(ct) > 0; round++) {
                    unlessALaneBreaks(this::rest);
                    ct.pause();
                }
            }

            private void check() {
                long now = retirement.staleness(ct);
                if (now != epoch) {
                    epoch = now;
                    System.arraycopy(retiredIn, 0, retiredIn, 1, EPOCHS_OF_A_BLOCK - 1);
                    retiredIn[0] = 0;
                }
                int most = 0;
                for (int retired : retiredIn) {
                    most += retired;
                }
                if (retirement.held(ct) > most && !areSomeLeft) {
                    throw new AssertionError(ct + " holds " + retirement.held(ct) + " blocks, and has retired " + most
                            + " in this epoch and in the two before");
                }
            }
        }
    }
}
