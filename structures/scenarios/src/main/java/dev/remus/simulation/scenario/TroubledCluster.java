// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A cluster of which a node may be lost, killed with late requests outstanding or cut off as a zombie, while another
 * thread is delayed and lanes break, each at a moment that is drawn at random. Each thread is on a Compute Node of its
 * own, or two are on one. The faults of the schedule are ignored.
 */
public final class TroubledCluster {
    /** The longest wait, in operations after the threads have begun. */
    private static final int LATEST_WAIT = 40;

    private static final int EARLIEST_WAITS = 4;
    private static final int MAX_BREAKS = 4;
    private static final int MAX_INTERRUPTS = 60;

    /** A waiter polls often before a lost node is cut off. */
    private static final int LATEST_INTERRUPT = 120;

    /** Longer than any wait: an unclaimed ticket of a lock is polled 64 times, at intervals of up to 33 ms. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    private final SimulatedCluster cluster;
    private final int threads;
    private final int threadsPerNode;

    /**
     * Draws the faults. The Compute Nodes are no Memory Nodes.
     *
     * @param threads the number of threads, which is even
     */
    public TroubledCluster(int threads, Schedule schedule) {
        this(threads, false, schedule);
    }

    /**
     * Draws the faults.
     *
     * @param threads the number of threads, which is even
     * @param isNear whether each Compute Node has a Memory Node too, which is not lost with it, and reads words of that
     *     by loads
     */
    public TroubledCluster(int threads, boolean isNear, Schedule schedule) {
        this(threads, isNear, false, schedule);
    }

    /**
     * Draws the faults.
     *
     * @param threads the number of threads, which is even
     * @param isNear whether each Compute Node has a Memory Node too, which is not lost with it, and reads words of that
     *     by loads
     * @param interrupts whether threads are interrupted too
     */
    public TroubledCluster(int threads, boolean isNear, boolean interrupts, Schedule schedule) {
        this.threads = threads;
        SplittableRandom random = schedule.choices(-1);
        threadsPerNode = threads == 2 ? 1 : 1 + random.nextInt(2);
        ClusterConfig config = SimulatedCluster.small(threads)
                .memoryNodes(0, isNear ? 1 + threads / threadsPerNode : 1)
                .lanes(isNear ? 1 : 2) // there are links enough
                .computeNodes(2, 1 + threads / threadsPerNode)
                .threadsPerNode(threadsPerNode)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lossTimeout(NodeLosses.TIMEOUT)
                .build();
        int lost = random.nextInt(threads);
        int late = (lost + threadsPerNode + random.nextInt(threads - threadsPerNode)) % threads;
        List<Strike> strikes = new ArrayList<>();
        strikes.add(new Strike(Fault.PAUSED_THREADS, late, drawWait(random)));
        if (random.nextInt(4) > 0) {
            addLoss(lost, isNear, strikes, random);
        }
        SplittableRandom ofBreaks = schedule.choices(-2);
        // With two threads on a node, a lane could break while one of them is still at the barrier before.
        boolean breaks = threadsPerNode == 1 && ofBreaks.nextBoolean();
        for (int i = breaks ? ofBreaks.nextInt(MAX_BREAKS) : 0; i > 0; i--) {
            strikes.add(new Strike(Fault.BROKEN_LANES, ofBreaks.nextInt(threads), drawWait(ofBreaks)));
        }
        SplittableRandom ofInterrupts = schedule.choices(-4);
        for (int i = interrupts ? 1 + ofInterrupts.nextInt(MAX_INTERRUPTS) : 0; i > 0; i--) {
            strikes.add(new Strike(
                    Fault.INTERRUPTED_THREADS,
                    ofInterrupts.nextInt(threads),
                    1 + ofInterrupts.nextInt(LATEST_INTERRUPT)));
        }
        cluster =
                new SimulatedCluster(config, schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        if (isNear) {
            cluster.withLocalReads();
        }
    }

    private static void addLoss(int thread, boolean isNear, List<Strike> strikes, SplittableRandom random) {
        if (isNear) {
            NodeLosses.addDeath(thread, drawWait(random), strikes, random);
        } else {
            NodeLosses.add(thread, drawWait(random), strikes, random);
        }
    }

    /** Half of the waits end when a thread has only just arrived. */
    private static int drawWait(SplittableRandom random) {
        return 1 + random.nextInt(random.nextBoolean() ? EARLIEST_WAITS : LATEST_WAIT);
    }

    /** Does something again and again while its outcome is unknown, for what only reads. */
    public static <T> T repeated(Supplier<T> reading, ComputeThread ct) {
        while (true) {
            try {
                return reading.get();
            } catch (OutcomeUnknownException e) {
                ct.pause();
            }
        }
    }

    /** The cluster, to be run once. */
    public SimulatedCluster cluster() {
        return cluster;
    }

    /** The threads that were lost, after the run: also those on a lost node that had not even begun, and zombies. */
    public Set<Integer> lost() {
        Set<Integer> lost = new TreeSet<>();
        for (int thread = 0; thread < threads; thread++) {
            if (NodeLosses.isLost(thread, cluster)) {
                int first = thread / threadsPerNode * threadsPerNode;
                IntStream.range(first, first + threadsPerNode).forEach(lost::add);
            }
        }
        return lost;
    }
}
