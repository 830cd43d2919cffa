// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Threads use a queue with few cells, and one of them is away early, perhaps with an item that it is about to take,
 * while the others use all cells several times. Of these, two are away several times for a moment, so that one may be
 * about to put an item into that cell when the first one comes back. All must end, and no item may be lost.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the operations, and the queue
 */
public record SlowThreadsScenario(PooledQueueScenario queue) implements Scenario {
    private static final int AWAY = 1;
    private static final int LATEST_WAIT = 20;
    private static final int MOMENTS = 6;
    private static final int WAITS_OF_AN_OPERATION = 3;

    /** Rejects a scenario without two more threads than the one that is away, besides one that never is. */
    public SlowThreadsScenario {
        if (queue.threads() < 4) {
            throw new IllegalArgumentException(queue.threads() + " threads: needs at least 4");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        List<Strike> pauses = new ArrayList<>();
        pauses.add(new Strike(Fault.PAUSED_THREADS, AWAY, 1 + random.nextInt(LATEST_WAIT)));
        int last = WAITS_OF_AN_OPERATION * queue.operations();
        for (int i = 0; i < MOMENTS; i++) {
            pauses.add(new Strike(Fault.PAUSED_THREADS, AWAY + 1 + i % 2, 1 + random.nextInt(last)));
        }
        Schedule own = schedule.withFaults(Set.of()).withStrikes(pauses.toArray(Strike[]::new));
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(queue.threads())
                        .lanes(1 + random.nextInt(2))
                        .build(),
                own);
        Set<Integer> ended = queue.run(cluster, own);
        if (ended.size() < queue.threads()) {
            throw new AssertionError("only the threads " + ended + " have ended, after " + cluster.struck());
        }
    }
}
