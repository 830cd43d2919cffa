// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Checker;
import dev.remus.check.History;
import dev.remus.check.Minimiser;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import dev.remus.config.ClusterConfig;
import dev.remus.config.OnNodeLoss;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.Dequeued;
import dev.remus.structures.LongBufferedQueue;
import dev.remus.structures.RelaxedBufferedQueue;
import dev.remus.structures.Ring;
import dev.remus.structures.ScalableQueue;
import dev.remus.structures.TurnRing;
import dev.remus.structures.spec.QueueScenario.Creator;
import dev.remus.structures.spec.QueueScenario.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A few threads on two simulated Compute Nodes use one queue with a single consumer: the first thread dequeues the
 * items of all others, one by one and in batches, waiting or trying. The results must be what the queue promises, in a
 * linearizable queue also that no enqueue ends while as many items as have room are there; and an item must leave at a
 * position that is congruent, modulo the capacity, to the one that it took. Memory is checked too ({@code
 * --check-memory}).
 *
 * <p>Results that there is no room, or that an item is not ready, imply nothing about the order, and are not judged.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of items that each producer enqueues
 * @param capacity the number of items that have room
 * @param promise the order that is required
 * @param creator makes the queue
 * @param opener makes a thread's handle to it
 * @param onNodeLoss what the loss of a node would do, which decides how producers claim positions
 */
public record BufferedQueueScenario(
        int threads,
        int operations,
        int capacity,
        Promise promise,
        Creator creator,
        Opener opener,
        OnNodeLoss onNodeLoss)
        implements Scenario {
    private static final int MAX_BATCH = 3;

    private static final int MAX_LANES = 4;

    /** Makes a thread's handle. */
    @FunctionalInterface
    public interface Opener {
        /** Makes a handle to what the {@link Creator} made. */
        BufferedQueueHandle open(RdmaPtr<?> This, ComputeThread ct);
    }

    /** Rejects parameters that cannot be run. */
    public BufferedQueueScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || capacity < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", capacity "
                    + capacity + ": needs an even number of threads, and at least one operation and item");
        }
    }

    /** The scenario under {@code --on-node-loss abort}. */
    public BufferedQueueScenario(
            int threads, int operations, int capacity, Promise promise, Creator creator, Opener opener) {
        this(threads, operations, capacity, promise, creator, opener, OnNodeLoss.ABORT);
    }

    /** The scenario with a {@link BufferedQueue}. */
    public static BufferedQueueScenario buffered(int threads, int operations, int capacity) {
        return new BufferedQueueScenario(
                threads,
                operations,
                capacity,
                Promise.LINEARIZABLE,
                (n, ct) -> BufferedQueue.create(n, Codecs.LONG, ct),
                (This, ct) -> new BufferedQueueHandles.RingHandle(new BufferedQueue<>(shared(This), Codecs.LONG, ct)));
    }

    /** The scenario with a {@link RelaxedBufferedQueue}. */
    public static BufferedQueueScenario relaxed(int threads, int operations, int capacity) {
        return new BufferedQueueScenario(
                threads,
                operations,
                capacity,
                Promise.QUIESCENTLY_CONSISTENT,
                (n, ct) -> RelaxedBufferedQueue.create(n, Codecs.LONG, ct),
                (This, ct) ->
                        new BufferedQueueHandles.RingHandle(new RelaxedBufferedQueue<>(shared(This), Codecs.LONG, ct)));
    }

    /**
     * The scenario with a {@link BufferedQueue} whose items are written and read in place, and now and then given up
     * before they are enqueued; some threads use it as a {@link LongBufferedQueue}.
     */
    public static BufferedQueueScenario inPlace(int threads, int operations, int capacity) {
        return new BufferedQueueScenario(
                threads,
                operations,
                capacity,
                Promise.LINEARIZABLE,
                (n, ct) -> LongBufferedQueue.create(n, ct),
                (This, ct) -> ct.random().nextBoolean()
                        ? new BufferedQueueHandles.LongHandle(new LongBufferedQueue(shared(This), ct))
                        : new BufferedQueueHandles.InPlaceHandle(new BufferedQueue<>(shared(This), Codecs.LONG, ct)));
    }

    /** The scenario with a {@link BufferedQueue} that some threads use as a {@link LongBufferedQueue}. */
    public static BufferedQueueScenario mixed(int threads, int operations, int capacity) {
        return new BufferedQueueScenario(
                threads,
                operations,
                capacity,
                Promise.LINEARIZABLE,
                (n, ct) -> LongBufferedQueue.create(n, ct),
                (This, ct) -> ct.random().nextInt(3) == 0
                        ? new BufferedQueueHandles.LongHandle(new LongBufferedQueue(shared(This), ct))
                        : new BufferedQueueHandles.RingHandle(new BufferedQueue<>(shared(This), Codecs.LONG, ct)));
    }

    /** The scenario with a {@link ScalableQueue}, whose positions the threads do not learn. */
    public static BufferedQueueScenario scalable(int threads, int operations, int capacity) {
        return new BufferedQueueScenario(
                threads,
                operations,
                capacity,
                Promise.LINEARIZABLE,
                BufferedQueueScenario::createScalable,
                (This, ct) -> new BufferedQueueHandles.ScalableHandle(
                        new ScalableQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct)));
    }

    private static RdmaPtr<?> createScalable(int capacity, ComputeThread ct) {
        RdmaPtr<TurnRing> This = ScalableQueue.create(capacity, Codecs.LONG, ct);
        PooledQueueScenario.fillSeldomBeside(This, ct);
        return This;
    }

    /** The same scenario, requiring another order. */
    public BufferedQueueScenario demanding(Promise other) {
        return new BufferedQueueScenario(threads, operations, capacity, other, creator, opener, onNodeLoss);
    }

    /** The same scenario under {@code --on-node-loss continue}, although no node is lost. */
    public BufferedQueueScenario continuing() {
        return new BufferedQueueScenario(threads, operations, capacity, promise, creator, opener, OnNodeLoss.CONTINUE);
    }

    private ClusterConfig config(SplittableRandom random) {
        ClusterConfig.Builder config = SimulatedCluster.small(threads).onNodeLoss(onNodeLoss);
        return onNodeLoss == OnNodeLoss.ABORT
                ? config.build()
                : config.lanes(1 + random.nextInt(MAX_LANES)).build();
    }

    @SuppressWarnings("unchecked") // the pointer comes from the creator of the same class
    private static RdmaPtr<Ring> shared(RdmaPtr<?> This) {
        return (RdmaPtr<Ring>) This;
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Run run = new Run();
        List<BufferedQueueHandle> consumers = new ArrayList<>();
        new SimulatedCluster(config(schedule.choices(-1)), schedule)
                .recordedBy(run.recorder) // no thread reads another's notes meanwhile
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(creator.create(capacity, ct));
                    }
                })
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        consumers.get(0).destroy(ct);
                        ct.reclaimDeferred();
                    }
                })
                .run(ct -> {
                    BufferedQueueHandle queue = opener.open(ct.root().get(), ct);
                    if (ct.id() == 0) {
                        consumers.add(queue);
                        run.consume(queue, schedule.choices(ct.id()), ct);
                    } else {
                        run.produce(queue, schedule.choices(ct.id()), ct);
                    }
                });
        run.judge();
    }

    /** One run, and its record. */
    private final class Run {
        private final Recorder<QueueOperation<Long>, QueueResult<Long>> recorder = new Recorder<>();

        /** The calls that found no room or no item, which are not judged. */
        private final Set<Integer> refused = new HashSet<>();

        /** The position that each item took. */
        private final Map<Long, Long> taken = new HashMap<>();

        /** The dequeued items, in order. */
        private final List<Long> left = new ArrayList<>();

        void produce(BufferedQueueHandle queue, SplittableRandom random, ComputeThread ct) {
            long first = (long) ct.id() * operations;
            for (int done = 0; done < operations; ) {
                long item = first + done;
                int count = 1;
                switch (random.nextInt(4)) {
                    case 0 -> keepTrying(item, queue, ct);
                    case 1 -> {
                        count = Math.min(operations - done, random.nextInt(1, MAX_BATCH + 1));
                        enqueueAll(LongStream.range(item, item + count).boxed().toList(), queue, ct);
                    }
                    default -> enqueue(item, queue, ct);
                }
                done += count;
            }
        }

        private void enqueue(long item, BufferedQueueHandle queue, ComputeThread ct) {
            recorder.record(ct.id(), QueueOperation.enqueue(item), () -> {
                taken.put(item, queue.enqueue(item, ct));
                return QueueResult.enqueued();
            });
        }

        private void keepTrying(long item, BufferedQueueHandle queue, ComputeThread ct) {
            for (long nanos = 100; ; nanos += 100) { // rarer and rarer: another thread may pause for long
                int id = recorder.call(ct.id(), QueueOperation.enqueue(item));
                if (attempt(List.of(id), () -> queue.tryEnqueue(item, ct))) {
                    recorder.returned(id, QueueResult.enqueued());
                    return;
                }
                refused.add(id);
                ct.pause(nanos);
            }
        }

        /** A batch is not atomic: its items are recorded as operations that overlap. */
        private void enqueueAll(List<Long> items, BufferedQueueHandle queue, ComputeThread ct) {
            List<Integer> ids = items.stream()
                    .map(item -> recorder.call(ct.id(), QueueOperation.enqueue(item)))
                    .toList();
            attempt(ids, () -> {
                queue.enqueueAll(items, ct);
                return items;
            });
            ids.forEach(id -> recorder.returned(id, QueueResult.enqueued()));
        }

        void consume(BufferedQueueHandle queue, SplittableRandom random, ComputeThread ct) {
            int total = (threads - 1) * operations;
            while (left.size() < total) {
                switch (random.nextInt(4)) {
                    case 0 -> tryDequeue(queue, ct);
                    case 1 -> dequeueAll(random.nextInt(1, MAX_BATCH + 1), queue, ct);
                    default -> recorder.record(ct.id(), QueueOperation.dequeue(), () -> noted(queue.dequeue(ct)));
                }
            }
        }

        /** Runs the body of operations that were called; if it throws, all of them fail. */
        private <T> T attempt(List<Integer> ids, Supplier<T> body) {
            try {
                return body.get();
            } catch (RuntimeException e) {
                ids.forEach(id -> recorder.failed(id, e));
                throw e;
            }
        }

        private QueueResult<Long> noted(long item) {
            left.add(item);
            return QueueResult.of(item);
        }

        private void tryDequeue(BufferedQueueHandle queue, ComputeThread ct) {
            int id = recorder.call(ct.id(), QueueOperation.dequeue());
            Dequeued<Long> dequeued = attempt(List.of(id), () -> queue.tryDequeue(ct));
            switch (dequeued.kind()) {
                case ITEM -> recorder.returned(id, noted(dequeued.item()));
                case EMPTY -> recorder.returned(id, QueueResult.empty());
                case NOT_READY -> refused.add(id);
            }
        }

        private void dequeueAll(int most, BufferedQueueHandle queue, ComputeThread ct) {
            List<Integer> ids = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                ids.add(recorder.call(ct.id(), QueueOperation.dequeue()));
            }
            int before = left.size();
            attempt(ids, () -> {
                queue.dequeueAll(most, left, ct);
                return left;
            });
            for (long item : left.subList(before, left.size())) {
                recorder.returned(ids.remove(0), QueueResult.of(item));
            }
            if (left.size() == before && queue.saysEmpty()) {
                recorder.returned(ids.remove(0), QueueResult.empty());
            }
            refused.addAll(ids);
        }

        void judge() {
            Checker<QueueOperation<Long>, QueueResult<Long>> checker = promise.checker(
                    promise == Promise.LINEARIZABLE
                            ? new QueueSpecification<Long>(capacity)
                            : new QueueSpecification<Long>());
            History<QueueOperation<Long>, QueueResult<Long>> history =
                    recorder.history().only(invocation -> !refused.contains(invocation.id()));
            Verdict<QueueOperation<Long>, QueueResult<Long>> verdict = checker.check(history);
            (verdict.isRejected() ? new Minimiser<>(checker, QueueSpecification::itemOf).minimise(history) : verdict)
                    .orThrow();
            judgePositions();
        }

        private void judgePositions() {
            for (int position = 0; position < left.size(); position++) {
                long expected = taken.getOrDefault(left.get(position), BufferedQueueHandle.UNKNOWN);
                if (expected != BufferedQueueHandle.UNKNOWN && position % capacity != expected % capacity) {
                    throw new AssertionError("item " + left.get(position) + ", for which position " + expected
                            + " was taken, has left at position " + position + ", from another block");
                }
            }
        }
    }
}
