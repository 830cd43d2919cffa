// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.lock.RemoteLock;
import dev.remus.lock.RemoteSemaphore;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A thread is lost with a lock and a permit, while it enqueues items, and before it arrives at a barrier. One Memory
 * Node never cuts off its node, so nobody may take over anything. Each wait for that thread must end with an exception
 * that names its node: for the lock, for the permit, at the barrier, and for a position of the queue that it may still
 * fill. The consumer of the queue waits for no other position in vain.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the queue, and the number of items that it has room for
 */
public record VainWaitScenario(BufferedQueueScenario queue) implements Scenario {
    private static final int THREADS = 4;
    private static final int VICTIM = 0;
    private static final int CONSUMER = 1;
    private static final int PRODUCER = 2;
    private static final int FIRST_WAIT = 20;
    private static final int WAITS = 60;

    /** For a lock, for a permit, at a barrier, and for an item. */
    private static final int WAITS_IN_VAIN = 4;

    /** An item of the thread that is not lost. */
    private static final long LATER_ITEM = 1_000;

    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final long QUIET_NANOS = 5_000_000_000L;

    /** So a run takes few steps until the loss time-out is over. */
    private static final long POLL_NANOS = 20_000_000;

    @Override
    public void run(Schedule schedule) throws Exception {
        int last = FIRST_WAIT + schedule.choices(-1).nextInt(WAITS);
        SimulatedCluster cluster = new SimulatedCluster(
                        SimulatedCluster.small(THREADS)
                                .computeNodes(2, 1 + THREADS)
                                .threadsPerNode(1)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .lossTimeout(LOSS_TIMEOUT)
                                .build(),
                        schedule.withFaults(Set.of()).withStrikes(new Strike(Fault.LOST_COMPUTE_NODES, VICTIM, last)))
                .cuttingOffAfter(1, NEVER);
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run();
        cluster.prepared(run::prepare).run(run::work);
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final BufferedQueueHandle[] handles = new BufferedQueueHandle[THREADS];
        private final RemoteLock lock = new RemoteLock(THREADS);
        private @Nullable RdmaPtr<RemoteSemaphore> semaphore;

        /** Whether the consumer waits for no item any more. */
        private boolean isConsumed;

        private final Set<String> ended = new TreeSet<>();

        void prepare(ComputeThread ct) {
            if (ct.id() == VICTIM) {
                ct.root().set(queue.creator().create(queue.capacity(), ct));
                lock.allocate(ct);
                lock.init(ct);
                semaphore = RemoteSemaphore.create(1, ct);
            }
            ct.barrier();
            handles[ct.id()] = queue.opener().open(ct.root().get(), ct);
            if (ct.id() == VICTIM) {
                lock().acquire(ct);
                semaphore(ct).acquire(ct);
            }
        }

        private RemoteLock lock() {
            RemoteLock own = new RemoteLock(THREADS);
            own.at(lock.pointer());
            return own;
        }

        private RemoteSemaphore semaphore(ComputeThread ct) {
            return new RemoteSemaphore(Objects.requireNonNull(semaphore), ct);
        }

        void work(ComputeThread ct) {
            switch (ct.id()) {
                case VICTIM -> {
                    for (long item = 0; true; item++) {
                        handles[VICTIM].enqueue(item, ct);
                    }
                }
                case CONSUMER -> {
                    consume(ct);
                    isConsumed = true;
                }
                case PRODUCER -> {
                    awaitVain("the lock", () -> lock().acquire(ct), ct);
                    while (!isConsumed && !handles[PRODUCER].tryEnqueue(LATER_ITEM, ct)) {
                        ct.pause(POLL_NANOS);
                    }
                    awaitVain("the permit", () -> semaphore(ct).acquire(ct), ct);
                }
                default -> awaitVain("the barrier", ct::barrier, ct);
            }
        }

        private void awaitVain(String what, Runnable wait, ComputeThread ct) {
            try {
                wait.run();
            } catch (NodeLostException e) {
                checkNamesVictim(e, ct);
                ended.add(what);
                return;
            }
            throw new AssertionError(ct + " has got " + what + ", for which thread " + VICTIM + " is not cut off");
        }

        /** The item behind those of the victim is dequeued if the victim had no position to fill. */
        private void consume(ComputeThread ct) {
            try {
                while (handles[CONSUMER].dequeue(ct) != LATER_ITEM) {}
            } catch (NodeLostException e) {
                checkNamesVictim(e, ct);
            }
            ended.add("the next item");
        }

        private void checkNamesVictim(NodeLostException e, ComputeThread ct) {
            if (e.node() != ct.peers().nodeOf(VICTIM) || !ct.peers().isLostAndNotCutOff(VICTIM)) {
                throw new AssertionError(ct + " waits in vain, but not for node " + e.node() + " that it names", e);
            }
        }

        void judge() {
            if (ended.size() < WAITS_IN_VAIN) {
                throw new AssertionError("a thread waits for ever, since only these waits for thread " + VICTIM
                        + " have ended, which is lost and not cut off: " + ended);
            }
        }
    }
}
