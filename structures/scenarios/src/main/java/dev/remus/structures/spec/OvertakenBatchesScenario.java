// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RelaxedBufferedQueue;
import dev.remus.structures.RingQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * Two threads enqueue a batch each into a queue with room for three items, and pause when they have taken positions.
 * Others, of which one is late too, overtake them. All must end, and each item must leave once.
 *
 * <p>The threads take positions in this order; B is the first batch, A the second, L the late item:
 *
 * <pre>
 *  position  0 1 2 | 3 4 5 | 6 7 8 | 9 10
 *  block     0 1 2 | 0 1 2 | 0 1 2 | 0 1
 *  thread    B B B | . L . | . A A | . .
 * </pre>
 *
 * <p>If the others get blocks 0 and 2 before B, and B gets block 1 before L, then B still needs 0 and 2, and A needs 1
 * and 2. If B waits for 0 alone, and A for 1 alone, the others may take these two once more. Then the consumer waits
 * for block 2, which only A and B would take.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param creator makes the queue
 * @param opener makes a thread's handle to it
 */
public record OvertakenBatchesScenario(RingEdgesScenario.Creator creator, RingEdgesScenario.Opener opener)
        implements Scenario {
    private static final int CAPACITY = 3;

    private static final int CONSUMER = 0;
    private static final int FIRST_BATCH = 1;
    private static final int LATE = 2;
    private static final int SECOND_BATCH = 3;
    private static final int OVERTAKER = 4;
    private static final int THREADS = 6;
    private static final int ITEMS = 11;

    /** The pauses of those that are overtaken begin at one of so many waits. */
    private static final int MOMENTS = 8;

    private static final long QUIET_NANOS = 3_000_000_000L;

    /** The scenario with a {@link RelaxedBufferedQueue}. */
    public static OvertakenBatchesScenario relaxed() {
        return new OvertakenBatchesScenario(
                (n, ct) -> RelaxedBufferedQueue.create(n, Codecs.LONG, ct),
                (This, ct) -> new RelaxedBufferedQueue<>(This, Codecs.LONG, ct));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(THREADS)
                        .computeNodes(2, 1 + THREADS)
                        .threadsPerNode(1)
                        .build(),
                schedule.withFaults(Set.of())
                        .withStrikes(
                                new Strike(Fault.PAUSED_THREADS, FIRST_BATCH, 1),
                                new Strike(Fault.PAUSED_THREADS, LATE, 1 + random.nextInt(MOMENTS)),
                                new Strike(Fault.PAUSED_THREADS, SECOND_BATCH, 1 + random.nextInt(MOMENTS))));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Map<Integer, RingQueue<Long>> handles = new HashMap<>();
        Run run = new Run();
        cluster.prepared(ct -> {
                    if (ct.id() == CONSUMER) {
                        ct.root().set(creator.create(CAPACITY, ct));
                    }
                    ct.barrier();
                    handles.put(
                            ct.id(), opener.open(new RdmaPtr<>(ct.root().get().raw()), ct));
                })
                .run(ct -> run.work(Objects.requireNonNull(handles.get(ct.id()), "prepared"), ct));
        run.judge(cluster.struck());
    }

    /** One run. */
    private static final class Run {
        /** The number of items of the overtaking threads that have a block. */
        private int overtaken;

        private final List<Long> left = new ArrayList<>();
        private final Set<Integer> ended = new TreeSet<>();

        void work(RingQueue<Long> queue, ComputeThread ct) {
            switch (ct.id()) {
                case CONSUMER -> consume(queue, ct);
                case FIRST_BATCH -> queue.enqueueAll(items(0, 3), ct);
                case LATE -> {
                    awaitOvertaking(1, ct);
                    queue.enqueue(4L, ct);
                }
                case SECOND_BATCH -> {
                    awaitOvertaking(3, ct);
                    queue.enqueueAll(items(7, 2), ct);
                }
                case OVERTAKER -> {
                    overtake(3, queue, ct);
                    overtake(5, queue, ct);
                    overtake(6, queue, ct);
                }
                default -> {
                    overtake(9, queue, ct);
                    overtake(10, queue, ct);
                }
            }
            ct.place();
            ended.add(ct.id());
        }

        private static List<Long> items(long first, int count) {
            return LongStream.range(first, first + count).boxed().toList();
        }

        private void awaitOvertaking(int items, ComputeThread ct) {
            while (overtaken < items) {
                ct.pause();
            }
        }

        /** Enqueues an item that has the number of its position, or of a later one. */
        private void overtake(long item, RingQueue<Long> queue, ComputeThread ct) {
            while (left.size() + queue.size(ct) < item) {
                ct.pause();
            }
            queue.enqueue(item, ct);
            overtaken++;
        }

        private void consume(RingQueue<Long> queue, ComputeThread ct) {
            while (left.size() < ITEMS) {
                left.add(queue.dequeue(ct));
            }
        }

        void judge(List<Strike> struck) {
            if (ended.size() < THREADS) {
                throw new AssertionError("only threads " + ended + " end after " + struck + "; dequeued were " + left);
            }
            if (!left.stream().sorted().toList().equals(items(0, ITEMS))) {
                throw new AssertionError("dequeued were " + left + ": needs each of " + ITEMS + " items once");
            }
        }
    }
}
