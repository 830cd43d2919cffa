// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A cluster whose lanes break several times, whose links are down for a while, or whose threads are interrupted, at
 * moments that are drawn at random. After a break a thread may pause. Each thread is on a Compute Node of its own, or
 * two share one and its lanes. The faults of the schedule are ignored.
 */
final class BreakingCluster {
    private static final int MAX_BREAKS = 36;
    private static final int LATEST_WAIT = 60;

    private final SimulatedCluster cluster;
    private final int breaks;

    /**
     * Draws the breaks.
     *
     * @param threads the number of threads, which is even
     * @param fault {@link Fault#BROKEN_LANES}, {@link Fault#DOWN_LINKS} or {@link Fault#INTERRUPTED_THREADS}
     * @param isNear whether each node is a Memory Node too, and reads words of its own by loads
     */
    BreakingCluster(int threads, Fault fault, boolean isNear, Schedule schedule) {
        SplittableRandom random = schedule.choices(-1);
        List<Strike> strikes = new ArrayList<>();
        for (int i = random.nextInt(MAX_BREAKS); i >= 0; i--) {
            int thread = random.nextInt(threads);
            int wait = 1 + random.nextInt(LATEST_WAIT);
            strikes.add(new Strike(fault, thread, wait));
            if (random.nextBoolean()) { // before the thread reads whether its operation took effect
                strikes.add(new Strike(Fault.PAUSED_THREADS, thread, wait));
            }
        }
        breaks = strikes.size();
        int nodes = random.nextBoolean() ? threads : threads / 2; // with threads that share lanes, or without
        cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .memoryNodes(0, isNear ? 1 + nodes : 1)
                        .computeNodes(2, 1 + nodes)
                        .threadsPerNode(threads / nodes)
                        .lanes(isNear ? 1 : 1 + random.nextInt(2)) // there are links enough
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        if (isNear) {
            cluster.withLocalReads();
        }
    }

    /** The cluster, to be run once. */
    SimulatedCluster cluster() {
        return cluster;
    }

    /** Whether all have happened. Threads go on until then, since a break at a barrier would end the node. */
    boolean areBreaksOver() {
        return cluster.struck().size() == breaks;
    }
}
