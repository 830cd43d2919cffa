// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How scenarios lose Compute Nodes with one thread each: perhaps while requests are late, most are killed, and some go
 * on as zombies until all Memory Nodes have cut them off.
 */
public final class NodeLosses {
    /** After so long, a link that is down is lost: to be the loss time-out of the cluster. */
    public static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final int MOST_LATE = 3;
    private static final int ONE_ZOMBIE_IN = 6;

    private NodeLosses() {}

    /** Adds the loss of a thread's node, at the wait of the thread with this number, from 1 on. */
    public static void add(int thread, int last, List<Strike> strikes, SplittableRandom random) {
        addLate(thread, last, strikes, random);
        boolean dies = random.nextInt(ONE_ZOMBIE_IN) > 0;
        strikes.add(new Strike(dies ? Fault.LOST_COMPUTE_NODES : Fault.LOST_LINKS, thread, last));
    }

    /** The same without zombies, for nodes that are Memory Nodes too: others would lose those with the link. */
    static void addDeath(int thread, int last, List<Strike> strikes, SplittableRandom random) {
        addLate(thread, last, strikes, random);
        strikes.add(new Strike(Fault.LOST_COMPUTE_NODES, thread, last));
    }

    private static void addLate(int thread, int last, List<Strike> strikes, SplittableRandom random) {
        for (int late = random.nextInt(MOST_LATE); late > 0 && last > late; late--) {
            strikes.add(new Strike(Fault.LATE_REQUESTS, thread, last - late));
        }
    }

    /** The number of nodes that have been killed, or have lost a link, until now. */
    public static long number(SimulatedCluster cluster) {
        return cluster.struck().stream()
                .filter(strike -> strike.fault() == Fault.LOST_COMPUTE_NODES || strike.fault() == Fault.LOST_LINKS)
                .count();
    }

    /** The number of lanes that have broken by themselves until now. */
    public static long breaks(SimulatedCluster cluster) {
        return cluster.struck().stream()
                .filter(strike -> strike.fault() == Fault.BROKEN_LANES)
                .count();
    }

    /** Whether a thread's node has been killed, or has become a zombie. For the end of a run. */
    public static boolean isLost(int thread, SimulatedCluster cluster) {
        return cluster.stoppedThreads().contains(thread) || isZombie(thread, cluster);
    }

    /** Whether a thread has lost a link for good, so that its operations fail. */
    public static boolean isZombie(int thread, SimulatedCluster cluster) {
        return cluster.struck().stream()
                .anyMatch(strike -> strike.fault() == Fault.LOST_LINKS && strike.thread() == thread);
    }

    /**
     * Checks that no more memory is missing than faults explain.
     *
     * @param before the bytes that were allocated before
     * @param most the bytes by which that may have grown
     */
    public static void checkMemory(long before, long most, SimulatedCluster cluster, ComputeThread ct) {
        long missing = SegmentUse.liveBytes(ct) - before;
        if (missing > most) {
            throw new AssertionError(missing + " bytes are missing, of which only " + most
                    + " can be lost or unused, after " + cluster.struck());
        }
    }
}
