// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.NodeLosses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Threads use a lock-free queue, each on a Compute Node of its own, one of which is lost meanwhile: killed with late
 * requests outstanding, or cut off as a zombie. Or a lane of one breaks. Another thread may be delayed. Each thread
 * that is left must finish its operations.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the operations, and the queue
 */
public record QueueLossScenario(PooledQueueScenario queue) implements Scenario {
    private static final int LATEST_WAIT = 80;
    private static final long QUIET_NANOS = 3_000_000_000L;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int threads = queue.threads();
        int struck = random.nextInt(threads);
        int late = (struck + 1 + random.nextInt(threads - 1)) % threads;
        boolean isLoss = random.nextBoolean();
        List<Strike> strikes = new ArrayList<>();
        int last = 1 + random.nextInt(LATEST_WAIT);
        if (isLoss) {
            NodeLosses.add(struck, last, strikes, random);
        } else {
            strikes.add(new Strike(Fault.BROKEN_LANES, struck, last));
        }
        strikes.add(new Strike(Fault.PAUSED_THREADS, late, 1 + random.nextInt(LATEST_WAIT)));
        Schedule own = schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new));
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .lanes(1 + random.nextInt(2))
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .lossTimeout(NodeLosses.TIMEOUT)
                        .build(),
                own);
        cluster.simulator().quietAfter(QUIET_NANOS);
        Set<Integer> ended = queue.run(cluster, own);
        for (int thread = 0; thread < threads; thread++) {
            if (!ended.contains(thread) && (!isLoss || thread != struck)) {
                throw new AssertionError(
                        "thread " + thread + " waits for ever without an exception, after " + cluster.struck());
            }
        }
    }
}
