// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;

/**
 * Threads use the control barrier wrongly: more arrive than it awaits, they await different numbers of threads, or one
 * has ended that is awaited. No thread waits for ever then. As soon as the barrier has failed for one thread, none
 * passes it any more. In some runs the last thread that arrives ends at once, which is right: then all pass.
 *
 * @param threads the number of threads, which is even
 * @param rounds how often more threads arrive than are awaited, in runs with that mistake
 */
public record BarrierMisuseScenario(int threads, int rounds) implements Scenario {
    /** More polls of a waiter than it takes to look whether a thread has ended. */
    private static final int POLLS = 100;

    private static final long POLL_NANOS = 2_000_000;

    /** What the threads do. */
    private enum Use {
        TOO_MANY_ARRIVE,
        DIFFERENT_NUMBERS,
        ONE_HAS_ENDED,
        LAST_ONE_ENDS
    }

    /** Rejects parameters that cannot be run. */
    public BarrierMisuseScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Use[] uses = Use.values();
        SimulatedCluster cluster =
                new SimulatedCluster(SimulatedCluster.small(threads).build(), schedule);
        Run run = new Run(uses[schedule.choices(-1).nextInt(uses.length)], cluster);
        cluster.run(run::work);
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final Use use;
        private final SimulatedCluster cluster;

        /** Whether a thread is about to arrive that awaits one more than the others. */
        private boolean isOneThere;

        /** Whether the barrier has failed for a thread. */
        private boolean hasFailed;

        Run(Use use, SimulatedCluster cluster) {
            this.use = use;
            this.cluster = cluster;
        }

        void work(ComputeThread ct) {
            boolean isLast = ct.id() == threads - 1;
            switch (use) {
                case TOO_MANY_ARRIVE -> arriveOneByOne(ct);
                case DIFFERENT_NUMBERS -> awaitDifferentNumbers(isLast, ct);
                case ONE_HAS_ENDED -> {
                    if (isLast) {
                        ct.close();
                        return;
                    }
                    if (passes(threads, ct)) {
                        throw new AssertionError(ct + " has passed a barrier with a thread that never arrived");
                    }
                }
                case LAST_ONE_ENDS -> {
                    for (int i = 0; isLast && i < POLLS; i++) {
                        ct.pause(POLL_NANOS);
                    }
                    if (!passes(threads, ct) && areAllThere()) {
                        throw new AssertionError("the barrier has failed for " + ct + " although all have arrived");
                    }
                    if (isLast) {
                        ct.close();
                        return;
                    }
                }
            }
            passes(1, ct); // not if it has failed for a thread
        }

        /** Whether no fault has happened that ends a thread. */
        private boolean areAllThere() {
            return cluster.isOnlyDelayed();
        }

        /** Each thread awaits itself alone, and two may do so at the same moment. */
        private void arriveOneByOne(ComputeThread ct) {
            for (int round = 0; round < rounds; round++) {
                passes(1, ct);
            }
        }

        private void awaitDifferentNumbers(boolean isLast, ComputeThread ct) {
            if (isLast) {
                isOneThere = true;
            } else {
                while (!isOneThere) {
                    ct.pause(POLL_NANOS);
                }
                if (!passes(threads - 1, ct)) {
                    return;
                }
            }
            passes(threads, ct); // if it comes later than the others, they have passed, and await it
        }

        private boolean passes(int participants, ComputeThread ct) {
            boolean hadFailed = hasFailed;
            try {
                ct.barrier(participants);
            } catch (OutcomeUnknownException e) {
                throw e; // its lane broke, and that ends its node
            } catch (FabricException | IllegalStateException e) {
                hasFailed = true;
                return false;
            }
            if (hadFailed && areAllThere()) {
                throw new AssertionError(ct + " has passed the barrier, although it had failed before");
            }
            return true;
        }
    }
}
