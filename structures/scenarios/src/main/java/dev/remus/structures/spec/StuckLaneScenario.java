// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.Dequeued;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * A lane of a producer breaks in an enqueue, and cannot be connected for a while, mostly for longer than the loss
 * time-out. What it had on the way arrives late, at the latest when it is connected. If the enqueue throws, the
 * producer never enqueues again. Others then fill the queue, and a consumer that is slow leaves their items in it for
 * long. It must get all of their items once, in each producer's order if the queue promises that, and those of the
 * first producer at most once.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the queue, and the numbers of threads and of items that each of them enqueues
 */
public record StuckLaneScenario(BufferedQueueScenario queue) implements Scenario {
    private static final int CONSUMER = 0;
    private static final int VICTIM = 1;
    private static final int LATEST_WAIT = 8;

    /** Many, so that the watch of the victim's node seldom meets the stuck one often enough to give up. */
    private static final int LANES = 4;

    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);
    private static final long QUIET_NANOS = 10_000_000_000L;
    private static final long POLL_NANOS = 10_000_000;

    /** Longer than all that the consumer has to wait for once no producer is left. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        Strike strike = new Strike(Fault.STUCK_LANES, VICTIM, 1 + random.nextInt(LATEST_WAIT));
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(queue.threads())
                        .computeNodes(2, 1 + queue.threads())
                        .threadsPerNode(1)
                        .lanes(LANES)
                        .lanePolicy(LanePolicy.RAND)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .lossTimeout(LOSS_TIMEOUT)
                        .checkMemory(true)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strike));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run();
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final BufferedQueueHandle[] handles = new BufferedQueueHandle[queue.threads()];
        private final Set<Integer> through = new TreeSet<>();
        private final List<Long> dequeued = new ArrayList<>();

        /** How many items of the victim are in the queue for certain, or were. */
        private int certain;

        void prepare(ComputeThread ct) {
            if (ct.id() == CONSUMER) {
                ct.root().set(queue.creator().create(queue.capacity(), ct));
            }
            ct.barrier();
            handles[ct.id()] = queue.opener().open(ct.root().get(), ct);
        }

        void work(SplittableRandom random, ComputeThread ct) {
            if (ct.id() == CONSUMER) {
                consume(ct);
            } else if (ct.id() == VICTIM) {
                enqueueUntilItFails(random, ct);
            } else {
                while (!isGone(VICTIM, ct)) {
                    ct.pause(POLL_NANOS);
                }
                items(ct.id()).forEach(item -> handles[ct.id()].enqueue(item, ct));
            }
            through.add(ct.id());
        }

        private List<Long> items(int thread) {
            long first = (long) thread * queue.operations();
            return LongStream.range(first, first + queue.operations()).boxed().toList();
        }

        private void enqueueUntilItFails(SplittableRandom random, ComputeThread ct) {
            BufferedQueueHandle handle = handles[VICTIM];
            try {
                if (random.nextInt(3) == 0) {
                    handle.enqueueAll(items(VICTIM), ct);
                    certain = queue.operations();
                    return;
                }
                for (long item : items(VICTIM)) {
                    if (random.nextBoolean()) {
                        handle.enqueue(item, ct);
                    } else {
                        while (!handle.tryEnqueue(item, ct)) {
                            ct.pause();
                        }
                    }
                    certain++;
                }
            } catch (OutcomeUnknownException e) {
                // never again
            }
        }

        private boolean isGone(int thread, ComputeThread ct) {
            return through.contains(thread) || ct.peers().isLost(thread);
        }

        private void consume(ComputeThread ct) {
            BufferedQueueHandle handle = handles[CONSUMER];
            long start = ct.nanoTime();
            while (true) {
                boolean areGone = true;
                for (int thread = VICTIM; thread < queue.threads(); thread++) {
                    areGone &= isGone(thread, ct);
                }
                start = areGone ? start : ct.nanoTime();
                Dequeued<Long> next = handle.tryDequeue(ct);
                if (next.kind() == Dequeued.Kind.ITEM) {
                    dequeued.add(next.item());
                } else if (areGone && next.kind() == Dequeued.Kind.EMPTY) {
                    return;
                } else if (ct.nanoTime() - start > PATIENCE_NANOS) {
                    throw new AssertionError("the consumer waits for an item that will never be there");
                }
                ct.pause(POLL_NANOS);
            }
        }

        void judge() {
            for (int thread = 0; thread < queue.threads(); thread++) {
                if (thread != VICTIM && !through.contains(thread)) {
                    throw new AssertionError("thread " + thread + " waits for ever");
                }
                List<Long> expected = items(thread);
                List<Long> found = dequeued.stream().filter(expected::contains).toList();
                List<Long> sorted = found.stream().sorted().toList();
                int least = thread == VICTIM ? certain : thread == CONSUMER ? 0 : queue.operations();
                boolean isInOrder = found.equals(sorted) || queue.promise() != QueueScenario.Promise.LINEARIZABLE;
                if (found.size() < least || found.stream().distinct().count() < found.size() || !isInOrder) {
                    throw new AssertionError("the items " + expected + " of thread " + thread + ", of which " + least
                            + " are certain, were dequeued as " + found);
                }
            }
            if (!LongStream.range(queue.operations(), (long) queue.threads() * queue.operations())
                    .boxed()
                    .toList()
                    .containsAll(dequeued)) {
                throw new AssertionError("items were dequeued that were not enqueued: " + dequeued);
            }
        }
    }
}
