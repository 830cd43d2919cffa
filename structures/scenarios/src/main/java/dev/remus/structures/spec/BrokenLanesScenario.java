package dev.remus.structures.spec;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Threads use a queue in which no thread waits, while their lanes break several times. An operation whose lane breaks
 * may have taken effect or not, and its thread continues. All threads must finish all of their operations.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the operations, and the queue: one that promises {@link PooledQueueScenario.Promise#LOCK_FREE}
 */
public record BrokenLanesScenario(PooledQueueScenario queue) implements Scenario {
    private static final int MAX_BREAKS = 5;
    private static final int LATEST_WAIT = 60;

    /** Rejects parameters that cannot be run. */
    public BrokenLanesScenario {
        if (!queue.promises().contains(PooledQueueScenario.Promise.LOCK_FREE)) {
            throw new IllegalArgumentException("a lane that breaks may leave a lock taken in this queue");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int threads = queue.threads();
        Strike[] breaks = IntStream.rangeClosed(0, random.nextInt(MAX_BREAKS))
                .mapToObj(i -> new Strike(Fault.BROKEN_LANES, random.nextInt(threads), 1 + random.nextInt(LATEST_WAIT)))
                .toArray(Strike[]::new);
        Schedule own = schedule.withFaults(Set.of()).withStrikes(breaks);
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .lanes(1 + random.nextInt(2))
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                own);
        Set<Integer> ended = queue.run(cluster, own);
        for (int thread = 0; thread < threads; thread++) {
            if (!ended.contains(thread)) {
                throw new AssertionError("thread " + thread + " has not ended after lanes broke");
            }
        }
    }
}
