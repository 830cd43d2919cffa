// SPDX-License-Identifier: Apache-2.0
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
 * Threads use a queue while their lanes break several times, or their links are down for a while. An operation whose
 * lane breaks ends with its result all the same, if the queue promises that. Otherwise it may have taken effect or not,
 * and its thread continues. All threads must finish all of their operations.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the operations, and the queue: one that promises {@link PooledQueueScenario.Promise#LOCK_FREE} or
 *     {@link PooledQueueScenario.Promise#DEFINITE}
 * @param fault {@link Fault#BROKEN_LANES} or {@link Fault#DOWN_LINKS}; for a lock-free queue also {@link
 *     Fault#INTERRUPTED_THREADS}
 */
public record BrokenLanesScenario(PooledQueueScenario queue, Fault fault) implements Scenario {
    /** Longer than a dequeue waits for items of threads whose lanes broke, one after the other. */
    private static final long QUIET_NANOS = 20_000_000_000L;

    private static final int MAX_BREAKS = 5;
    private static final int LATEST_WAIT = 60;

    /** An operation with locks waits for more round trips. */
    private static final int LATEST_WAIT_WITH_LOCKS = 150;

    private static final int MAX_BREAKS_WITH_LOCKS = 12;

    /** Rejects parameters that cannot be run. */
    public BrokenLanesScenario {
        if (!queue.promises().contains(PooledQueueScenario.Promise.LOCK_FREE)
                && !queue.promises().contains(PooledQueueScenario.Promise.DEFINITE)) {
            throw new IllegalArgumentException("a lane that breaks may leave a lock taken in this queue");
        }
    }

    /** Lanes break one by one. */
    public BrokenLanesScenario(PooledQueueScenario queue) {
        this(queue, Fault.BROKEN_LANES);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int threads = queue.threads();
        boolean hasLocks = !queue.promises().contains(PooledQueueScenario.Promise.LOCK_FREE);
        int latest = hasLocks ? LATEST_WAIT_WITH_LOCKS : LATEST_WAIT;
        Strike[] breaks = IntStream.rangeClosed(0, random.nextInt(hasLocks ? MAX_BREAKS_WITH_LOCKS : MAX_BREAKS))
                .mapToObj(i -> new Strike(fault, random.nextInt(threads), 1 + random.nextInt(latest)))
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
        cluster.simulator().quietAfter(QUIET_NANOS);
        Set<Integer> ended = queue.run(cluster, own);
        for (int thread = 0; thread < threads; thread++) {
            if (!ended.contains(thread)) {
                throw new AssertionError("thread " + thread + " has not ended after lanes broke");
            }
        }
    }
}
