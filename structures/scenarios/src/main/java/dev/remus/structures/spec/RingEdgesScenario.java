// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.Dequeued;
import dev.remus.structures.RelaxedBufferedQueue;
import dev.remus.structures.Ring;
import dev.remus.structures.RingQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Threads test the limits of a queue with a single consumer. Of several threads that dequeue at the same moment one
 * may. An empty queue is reported as empty and a full one as full, each only after the time limit. A thread that waits
 * for room in a full queue gets an exception when the consumer is lost, and room when items are taken out, even if a
 * lane of the consumer has broken.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param capacity the number of items that have room
 * @param creator makes the queue
 * @param opener makes a thread's handle to it
 */
public record RingEdgesScenario(int capacity, Creator creator, Opener opener) implements Scenario {
    private static final int THREADS = 4;

    /** The active threads that no mishap strikes. */
    private static final Set<Integer> STAY = Set.of(2, 3);

    private static final long MIN_NANOS = 20_000;
    private static final long MAX_NANOS = 60_000;

    /** Under a mishap, each of these two enqueues so many times as many items as have room. */
    private static final int LAPS = 3;

    private static final int LATEST_WAIT = 30;
    private static final long QUIET_NANOS = 3_000_000_000L;

    /** Makes a queue of {@code Long} in remote memory. */
    @FunctionalInterface
    public interface Creator {
        /** Makes an empty queue with room for so many items. */
        RdmaPtr<Ring> create(int capacity, ComputeThread ct);
    }

    /** Makes a thread's handle. */
    @FunctionalInterface
    public interface Opener {
        /** Makes a handle to what the {@link Creator} made. */
        RingQueue<Long> open(RdmaPtr<Ring> This, ComputeThread ct);
    }

    /** The mishaps. */
    private enum Mishap {
        /** The consumer is lost. */
        LOST_CONSUMER,
        /** A node that does not use the queue is lost, before there is a consumer. */
        LOST_BYSTANDER,
        /** A thread that only tries to enqueue is lost; no thread waits for it. */
        LOST_PRODUCER,
        /** A lane of the consumer breaks, and the consumer continues. */
        BROKEN_LANE
    }

    /** Rejects parameters that cannot be run. */
    public RingEdgesScenario {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + ": needs room for one item");
        }
    }

    /** The scenario with a {@link BufferedQueue}. */
    public static RingEdgesScenario buffered(int capacity) {
        return new RingEdgesScenario(
                capacity,
                (n, ct) -> BufferedQueue.create(n, Codecs.LONG, ct),
                (This, ct) -> new BufferedQueue<>(This, Codecs.LONG, ct));
    }

    /** The scenario with a {@link RelaxedBufferedQueue}. */
    public static RingEdgesScenario relaxed(int capacity) {
        return new RingEdgesScenario(
                capacity,
                (n, ct) -> RelaxedBufferedQueue.create(n, Codecs.LONG, ct),
                (This, ct) -> new RelaxedBufferedQueue<>(This, Codecs.LONG, ct));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        Mishap mishap = random.nextInt(3) == 0 // more often than the others, since most depends on its moment
                ? Mishap.BROKEN_LANE
                : Mishap.values()[random.nextInt(Mishap.values().length)];
        Fault fault = mishap == Mishap.BROKEN_LANE ? Fault.BROKEN_LANES : Fault.LOST_COMPUTE_NODES;
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(THREADS)
                        .computeNodes(2, 1 + THREADS)
                        .threadsPerNode(1) // only the consumer may use a lane that breaks
                        .onNodeLoss(
                                mishap == Mishap.BROKEN_LANE && random.nextBoolean()
                                        ? OnNodeLoss.ABORT
                                        : OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(new Strike(fault, 0, 1 + random.nextInt(LATEST_WAIT))));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Edges edges = new Edges();
        Trouble trouble = new Trouble(mishap);
        cluster.prepared(ct -> {
                    edges.show(schedule.choices(ct.id()), ct);
                    trouble.prepare(ct);
                })
                .run(trouble::work);
        trouble.judge(cluster.stoppedThreads());
    }

    private RingQueue<Long> meetAtANewQueue(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(creator.create(capacity, ct));
        }
        ct.barrier();
        return opener.open(new RdmaPtr<>(ct.root().get().raw()), ct);
    }

    /** The run without faults. */
    private final class Edges {
        private int consumer = -1;

        void show(SplittableRandom random, ComputeThread ct) {
            RingQueue<Long> queue = meetAtANewQueue(ct);
            ct.barrier();
            wantToDequeue(queue, ct);
            ct.barrier();
            expect(consumer >= 0, "no thread may dequeue", ct);
            if (ct.id() == (consumer + 1) % THREADS) {
                fill(queue, random, ct);
            }
            ct.barrier();
            if (ct.id() == consumer) {
                drain(queue, random, ct);
            }
            ct.barrier();
        }

        private void wantToDequeue(RingQueue<Long> queue, ComputeThread ct) {
            try {
                Dequeued<Long> nothing = queue.tryDequeue(ct);
                expect(consumer < 0, "may dequeue, and so may thread " + consumer, ct);
                consumer = ct.id();
                expect(nothing.kind() == Dequeued.Kind.EMPTY, "got " + nothing.kind() + " from an empty queue", ct);
            } catch (IllegalStateException e) {
                // required of all but one
            }
        }

        private void fill(RingQueue<Long> queue, SplittableRandom random, ComputeThread ct) {
            for (long i = 0; i < capacity; i++) {
                expect(queue.tryEnqueue(i, ct), "found no room for item " + i, ct);
            }
            expect(!queue.tryEnqueue(-1L, ct), "found room in a full queue", ct);
            long nanos = random.nextLong(MIN_NANOS, MAX_NANOS);
            long start = ct.nanoTime();
            expect(!queue.tryEnqueue(-1L, nanos, ct), "found room in a full queue", ct);
            expect(ct.nanoTime() - start >= nanos, "did not try to enqueue for " + nanos + " ns", ct);
        }

        private void drain(RingQueue<Long> queue, SplittableRandom random, ComputeThread ct) {
            for (long i = 0; i < capacity; i++) {
                expect(queue.dequeue(ct) == i, "did not get item " + i, ct);
            }
            long nanos = random.nextLong(MIN_NANOS, MAX_NANOS);
            long start = ct.nanoTime();
            Dequeued<Long> nothing = queue.tryDequeue(nanos, ct);
            expect(ct.nanoTime() - start >= nanos, "did not try to dequeue for " + nanos + " ns", ct);
            expect(nothing.kind() == Dequeued.Kind.EMPTY, "got " + nothing.kind() + " from an empty queue", ct);
            int count = queue.tryDequeueAll(1, item -> expect(false, "got item " + item, ct), ct);
            expect(count == 0, "got " + count + " items from an empty queue", ct);
        }

        private void expect(boolean isSo, String otherwise, ComputeThread ct) {
            if (!isSo) {
                throw new AssertionError(ct + " " + otherwise + "; it has room for " + capacity);
            }
        }
    }

    /**
     * The run with a mishap: two threads enqueue more than has room, or one does and the other dequeues when it may.
     */
    private final class Trouble {
        private final Mishap mishap;
        private final Map<Integer, RingQueue<Long>> handles = new HashMap<>();
        private final Set<Integer> through = new TreeSet<>();
        private final Map<Integer, NodeLostException> notified = new TreeMap<>();
        private final List<Long> left = new ArrayList<>();

        Trouble(Mishap mishap) {
            this.mishap = mishap;
        }

        private int items() {
            return LAPS * capacity;
        }

        /** The thread that dequeues from the start, or a negative number if none does. */
        private int consumer() {
            return switch (mishap) {
                case LOST_CONSUMER, BROKEN_LANE -> 0;
                case LOST_PRODUCER -> 1;
                case LOST_BYSTANDER -> -1;
            };
        }

        void prepare(ComputeThread ct) {
            RingQueue<Long> queue = meetAtANewQueue(ct);
            if (ct.id() == consumer()) {
                queue.tryDequeue(ct); // this makes it the consumer
            }
            handles.put(ct.id(), queue);
        }

        void work(ComputeThread ct) {
            RingQueue<Long> queue = Objects.requireNonNull(handles.get(ct.id()), "prepared");
            if (mishap == Mishap.LOST_PRODUCER) {
                tryAll(queue, ct);
                return;
            }
            if (ct.id() == 0 && mishap == Mishap.LOST_BYSTANDER) {
                doNothing(ct);
            } else if (ct.id() == 0) {
                consume(queue, ct);
            } else if (ct.id() == 2) {
                produce(queue, ct);
            } else if (ct.id() == 3) {
                if (mishap == Mishap.LOST_BYSTANDER) {
                    awaitLoss(ct);
                    consume(queue, ct);
                } else {
                    produce(queue, ct);
                }
            }
        }

        private void doNothing(ComputeThread ct) {
            while (!through.containsAll(STAY)) {
                ct.pause();
            }
        }

        /** Waits for the loss, while others wait for room in the full queue. */
        private void awaitLoss(ComputeThread ct) {
            while (!ct.peers().isAnyNodeLost()) {
                ct.pause();
            }
            for (int i = 0; i < LATEST_WAIT; i++) {
                ct.pause();
            }
        }

        private void produce(RingQueue<Long> queue, ComputeThread ct) {
            try {
                for (int i = 0; i < items(); i++) {
                    queue.enqueue((long) ct.id() * items() + i, ct);
                }
                ct.place();
                through.add(ct.id());
            } catch (NodeLostException e) {
                notified.put(ct.id(), e);
            }
        }

        /** Makes attempts, each of which must return, whatever the mishap. */
        private void tryAll(RingQueue<Long> queue, ComputeThread ct) {
            for (int i = 0; i < 2 * items(); i++) {
                if (ct.id() == 1) {
                    Dequeued<Long> item = queue.tryDequeue(ct);
                    if (item.isItem()) {
                        left.add(item.item());
                    }
                } else {
                    queue.tryEnqueue((long) ct.id() * 2 * items() + i, ct);
                }
            }
            through.add(ct.id());
        }

        /** Dequeues until no thread enqueues any more. */
        private void consume(RingQueue<Long> queue, ComputeThread ct) {
            Set<Integer> producers = mishap == Mishap.LOST_BYSTANDER ? Set.of(2) : STAY;
            while (!through.containsAll(producers)) {
                try {
                    if (mishap == Mishap.BROKEN_LANE && left.size() < items()) {
                        left.add(queue.dequeue(ct));
                        continue;
                    }
                    Dequeued<Long> item = queue.tryDequeue(MIN_NANOS, ct);
                    if (item.isItem()) {
                        left.add(item.item());
                    } else {
                        ct.pause();
                    }
                } catch (NodeLostException e) {
                    throw e;
                } catch (FabricException e) {
                    ct.pause(); // the lane broke, and has been replaced
                }
            }
            through.add(ct.id());
        }

        void judge(Set<Integer> lost) {
            for (int thread : STAY) {
                if (!through.contains(thread) && !notified.containsKey(thread)) {
                    throw new AssertionError("thread " + thread + " waits for ever after " + mishap + "; dequeued were "
                            + left + ", lost are threads " + lost);
                }
            }
            if (mishap != Mishap.LOST_CONSUMER && !notified.isEmpty()) {
                throw new AssertionError(
                        "threads got reports that the consumer is lost, which it is not: " + mishap + ", " + notified);
            }
            if (left.stream().distinct().count() < left.size()) {
                throw new AssertionError("some of the items were dequeued twice: " + left);
            }
        }
    }
}
