// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The threads of one Compute Node meet at the control barrier when the other node, whose threads never arrive, is lost.
 * In one round, all but one wait already, and the last arrives just when all learn of the loss. It may pass; but once
 * the barrier has failed for another thread, no thread passes it any more, not even alone, and each gets the lost node
 * as the reason. Often the generation wraps around in that very round.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds the number of rounds, in one of which the loss happens
 */
public record BarrierBreakScenario(int threads, int rounds) implements Scenario {
    private static final int LATEST_WAIT = 40;
    private static final int LONGEST_DELAY = 6;
    private static final int LATE_REQUESTS = 16;
    private static final long QUIET_NANOS = 5_000_000_000L;
    private static final long GENERATIONS = 1L << 31;
    private static final int GENERATION_SHIFT = 23;

    /** Rejects parameters that cannot be run. */
    public BarrierBreakScenario {
        if (threads < 2 || threads % 2 != 0 || rounds < 1) {
            throw new IllegalArgumentException("threads " + threads + ", rounds " + rounds
                    + ": needs an even number of threads, and at least one round");
        }
    }

    private int party() {
        return threads / 2;
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int round = random.nextInt(rounds);
        int late = random.nextInt(party());
        List<Strike> strikes = new ArrayList<>();
        strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, party(), 1 + random.nextInt(LATEST_WAIT)));
        for (int i = 0; i < LATE_REQUESTS; i++) {
            strikes.add(new Strike(Fault.LATE_REQUESTS, random.nextInt(party()), 1 + random.nextInt(LATEST_WAIT)));
        }
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .lanes(1 + random.nextInt(2))
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        if (random.nextBoolean()) {
            // The preparation uses one generation, and so does each earlier round.
            cluster.beginningWith(
                    SegmentLayout.header(0, 0, SegmentHeader.BARRIER), GENERATIONS - 2 - round << GENERATION_SHIFT);
        }
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(round, late);
        cluster.prepared(ct -> {}).run(ct -> {
            if (ct.id() < party()) {
                run.work(schedule.choices(ct.id()), ct);
            } else {
                while (true) {
                    ct.pause(); // until the node is lost
                }
            }
        });
        run.judge();
    }

    /** The state that the threads of one run share. */
    private final class Run {
        private final int lossRound;
        private final int late;
        private final int[] passed = new int[party()];
        private final boolean[] notified = new boolean[party()];

        Run(int lossRound, int late) {
            this.lossRound = lossRound;
            this.late = late;
        }

        void work(SplittableRandom random, ComputeThread ct) {
            while (!notified[ct.id()]) {
                if (passed[ct.id()] >= lossRound && ct.id() == late) {
                    while (!ct.peers().isLost(party())) {
                        ct.pause();
                    }
                    for (int i = random.nextInt(LONGEST_DELAY); i > 0; i--) {
                        ct.pause();
                    }
                }
                notified[ct.id()] = !passes(party(), ct);
                if (!notified[ct.id()]) {
                    passed[ct.id()]++;
                    awaitOthers(ct);
                    if (isAnybodyTold() && passes(1, ct)) {
                        throw new AssertionError(
                                ct + " has passed the barrier alone, although it had failed for others");
                    }
                }
            }
        }

        /** Waits until each of the others has passed this round too, or has failed. */
        private void awaitOthers(ComputeThread ct) {
            for (int other = 0; other < party(); other++) {
                while (!notified[other] && passed[other] < passed[ct.id()]) {
                    ct.pause();
                }
            }
        }

        private boolean isAnybodyTold() {
            boolean any = false;
            for (boolean one : notified) {
                any |= one;
            }
            return any;
        }

        private boolean passes(int participants, ComputeThread ct) {
            try {
                ct.barrier(participants);
                return true;
            } catch (FabricException | IllegalStateException e) {
                if (e instanceof NodeLostException lost
                        && lost.node() == ct.peers().nodeOf(party())) {
                    return false;
                }
                throw new AssertionError(ct + " failed at the barrier for another reason than the lost node", e);
            }
        }

        void judge() {
            for (int thread = 0; thread < party(); thread++) {
                if (!notified[thread]) {
                    throw new AssertionError("thread " + thread + " never learned that a node is lost; it has passed "
                            + passed[thread] + " rounds");
                }
            }
        }
    }
}
