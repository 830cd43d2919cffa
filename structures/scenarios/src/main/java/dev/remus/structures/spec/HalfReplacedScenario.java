// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A thread is on its way to the first element of a queue with locks, and pauses. Meanwhile the owner of that element's
 * memory enqueues and dequeues in turn, and is lost, perhaps while it replaces the element by another one. All threads
 * that are left must finish a dequeue, one of them empties the queue, and the results must be linearizable.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the queue, and the number of operations of the owner; the memory of the first element is used again soon
 *     if the capacity is 1
 */
public record HalfReplacedScenario(PooledQueueScenario queue) implements Scenario {
    /** The owner of the memory of a new queue's first element. */
    private static final int OWNER = 0;

    private static final int LATE = 1;

    /** In its first waits, a dequeue reads from where it walks. */
    private static final int WAITS_TO_START = 7;

    /**
     * After about so many waits, and so many more for each thread, the owner replaces the first element, if the
     * capacity is 1: it has enqueued and dequeued one item, and moved all references.
     */
    private static final int EARLIEST_DEATH = 24;

    private static final int WAITS_FOR_A_THREAD = 22;
    private static final int MOMENTS = 12;

    private static final long QUIET_NANOS = 5_000_000_000L;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int threads = queue.threads();
        int death = EARLIEST_DEATH + threads * WAITS_FOR_A_THREAD + random.nextInt(MOMENTS);
        Schedule own = schedule.withFaults(Set.of())
                .withStrikes(
                        new Strike(Fault.PAUSED_THREADS, LATE, 1 + random.nextInt(WAITS_TO_START)),
                        new Strike(Fault.LOST_COMPUTE_NODES, OWNER, death));
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .lanes(1 + random.nextInt(2))
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                own);
        cluster.simulator().quietAfter(QUIET_NANOS);
        Recorder<QueueOperation<Long>, QueueResult<Long>> recorder = new Recorder<>();
        RemoteQueue<?>[] handles = new RemoteQueue<?>[threads];
        Set<Integer> ended = new TreeSet<>();
        cluster.prepared(ct -> {
                    queue.createQueue(ct);
                    ct.barrier();
                    handles[ct.id()] = queue.opener().open(ct.root().get(), ct);
                })
                .run(ct -> {
                    @SuppressWarnings("unchecked")
                    RemoteQueue<Long> handle = (RemoteQueue<Long>) handles[ct.id()];
                    if (ct.id() == OWNER) {
                        useInTurn(handle, recorder, ct);
                    } else {
                        PooledQueueScenario.dequeue(handle, recorder, ct);
                    }
                    ended.add(ct.id());
                    if (ct.id() == LATE) {
                        while (ended.size() < threads && !isLastToEnd(ended, cluster)) {
                            ct.pause();
                        }
                        PooledQueueScenario.takeAll(handle, recorder, ct);
                        ended.add(threads);
                    }
                });
        for (int thread = 0; thread <= threads; thread++) {
            if (!ended.contains(thread) && !cluster.stoppedThreads().contains(thread)) {
                throw new AssertionError(
                        thread == threads
                                ? "thread " + LATE + " cannot empty the queue, after " + cluster.struck()
                                : "thread " + thread + " waits for ever, after " + cluster.struck());
            }
        }
        queue.judge(recorder.history(), cluster.stoppedThreads());
    }

    /** Whether all threads have ended but the owner, which is lost. */
    private boolean isLastToEnd(Set<Integer> ended, SimulatedCluster cluster) {
        return ended.size() == queue.threads() - 1 && cluster.stoppedThreads().contains(OWNER);
    }

    private void useInTurn(
            RemoteQueue<Long> handle, Recorder<QueueOperation<Long>, QueueResult<Long>> recorder, ComputeThread ct) {
        for (int i = 0; i < queue.operations(); i++) {
            if (i % 2 == 0) {
                PooledQueueScenario.enqueue(handle, i, recorder, ct);
            } else {
                PooledQueueScenario.dequeue(handle, recorder, ct);
            }
        }
    }
}
