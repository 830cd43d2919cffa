// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Checker;
import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.Minimiser;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.NodeLosses;
import dev.remus.structures.Dequeued;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Threads use a queue with a single consumer, each on a Compute Node of its own, and producers are lost meanwhile, and
 * now and then the consumer: killed with late requests outstanding, or cut off as zombies. Other threads may be
 * delayed, and lanes may break. If the consumer is lost, another thread dequeues in its place. The producers that are
 * left must finish, and a thread that dequeues then must find the queue empty. The results must be what the queue
 * promises: so the consumer passes over all positions that stay without an item, and over no other. Items that a lost
 * consumer had taken last may be dequeued again. At last the queue must have room for as many items as when it was new,
 * in the order in which they arrive.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param queue the queue, and the numbers of threads and of items that each of them enqueues
 */
public record BufferedLossScenario(BufferedQueueScenario queue) implements Scenario {
    private static final int CONSUMER = 0;
    private static final int HEIR = 1;
    private static final int FIRST_PRODUCER = 2;
    private static final int MAX_BATCH = 3;
    private static final int EARLIEST_WAITS = 12;
    private static final int LATEST_WAIT = 60;
    private static final int MOST_BREAKS = 6;

    private static final long QUIET_NANOS = 8_000_000_000L;

    /** So a run takes few steps while a link is down. */
    private static final long POLL_NANOS = 500_000;

    /** Longer than all that a consumer has to wait for once no producer is left. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        Schedule own = schedule.withFaults(Set.of()).withStrikes(strikes(random).toArray(Strike[]::new));
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(queue.threads())
                        .computeNodes(2, 1 + queue.threads())
                        .threadsPerNode(1)
                        .lanes(1 + random.nextInt(2))
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .lossTimeout(NodeLosses.TIMEOUT)
                        .checkMemory(true)
                        .build(),
                own);
        cluster.simulator().quietAfter(QUIET_NANOS);
        Run run = new Run(cluster);
        cluster.prepared(run::prepare).run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge();
    }

    private List<Strike> strikes(SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        boolean isConsumerLost = random.nextInt(4) == 0;
        int first = FIRST_PRODUCER + random.nextInt(Math.max(1, queue.threads() - FIRST_PRODUCER));
        for (int thread = 0; thread < queue.threads(); thread++) {
            int last = 1 + random.nextInt(random.nextBoolean() ? EARLIEST_WAITS : LATEST_WAIT);
            boolean mayBeLost =
                    thread >= FIRST_PRODUCER ? random.nextInt(3) == 0 : thread == CONSUMER && isConsumerLost;
            if (thread == first || mayBeLost) {
                NodeLosses.add(thread, last, strikes, random);
            } else if (random.nextInt(queue.threads()) == 0) {
                strikes.add(new Strike(Fault.PAUSED_THREADS, thread, last));
            }
        }
        for (int breaks = random.nextInt(2) * random.nextInt(MOST_BREAKS); breaks > 0; breaks--) {
            int thread = random.nextInt(queue.threads());
            strikes.add(new Strike(Fault.BROKEN_LANES, thread, 1 + random.nextInt(LATEST_WAIT)));
        }
        if (random.nextInt(4) == 0) { // while a thread becomes the consumer
            strikes.add(new Strike(Fault.BROKEN_LANES, random.nextInt(FIRST_PRODUCER), 1 + random.nextInt(2)));
        }
        return strikes;
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private final SimulatedCluster cluster;
        private final Recorder<QueueOperation<Long>, QueueResult<Long>> recorder = new Recorder<>();

        /** Operations that did nothing: they are not judged. */
        private final Set<Integer> refused = new HashSet<>();

        private final @Nullable BufferedQueueHandle[] handles = new BufferedQueueHandle[queue.threads()];

        /** The items that are in the queue for certain, or were. */
        private final Set<Long> enqueued = new HashSet<>();

        /** The items that the consumer and its heir have dequeued, in their order. */
        private final List<List<Long>> dequeued = List.of(new ArrayList<>(), new ArrayList<>());

        private final Set<Integer> through = new TreeSet<>();
        private boolean hasHeir;

        /** Whether the queue was found empty after all producers had ended. */
        private boolean isEmptied;

        private boolean isOver;

        Run(SimulatedCluster cluster) {
            this.cluster = cluster;
        }

        void prepare(ComputeThread ct) {
            if (ct.id() == CONSUMER) {
                ct.root().set(queue.creator().create(queue.capacity(), ct));
            }
            ct.barrier();
            handles[ct.id()] = queue.opener().open(ct.root().get(), ct);
        }

        void work(SplittableRandom random, ComputeThread ct) {
            BufferedQueueHandle handle = handles[ct.id()];
            try {
                if (ct.id() >= FIRST_PRODUCER) {
                    produce(handle, random, ct);
                    through.add(ct.id());
                } else if (ct.id() == CONSUMER || awaitInheritance(ct)) {
                    hasHeir = ct.id() == HEIR;
                    consume(handle, random, ct);
                    isEmptied = true;
                    refill(handle, ct);
                    isOver = true;
                }
            } catch (FabricException e) {
                if (!NodeLosses.isZombie(ct.id(), cluster)) {
                    throw new AssertionError("thread " + ct.id() + " cannot go on, after " + cluster.struck(), e);
                }
                throw e;
            }
        }

        /** Returns false if the consumer has emptied the queue. */
        private boolean awaitInheritance(ComputeThread ct) {
            while (!isOver && !ct.peers().isLost(CONSUMER)) {
                ct.pause();
            }
            return !isEmptied;
        }

        // -------------------------------------------------------------------------------------------- producers

        private void produce(BufferedQueueHandle handle, SplittableRandom random, ComputeThread ct) {
            for (int i = 0; i < queue.operations(); ) {
                long item = (long) ct.id() * queue.operations() + i;
                int batch = random.nextInt(4) > 0 ? 1 : Math.min(MAX_BATCH, queue.operations() - i);
                i += batch;
                try {
                    if (batch > 1) {
                        enqueueAll(item, batch, handle, ct);
                    } else if (random.nextInt(3) == 0) {
                        keepTrying(item, handle, ct);
                    } else {
                        enqueue(item, handle, ct);
                    }
                } catch (OutcomeUnknownException e) {
                    ct.pause(); // a lane broke, and the handle can be used on
                } catch (NodeLostException e) {
                    if (e.node() != ct.peers().nodeOf(CONSUMER)) {
                        throw e;
                    }
                    while (!hasHeir) {
                        ct.pause();
                    }
                }
            }
        }

        private void enqueue(long item, BufferedQueueHandle handle, ComputeThread ct) {
            int id = recorder.call(ct.id(), QueueOperation.enqueue(item));
            attempt(List.of(id), () -> handle.enqueue(item, ct));
            recorder.returned(id, QueueResult.enqueued());
            enqueued.add(item);
        }

        /** Attempts in vain may let others overtake each other, as an enqueue in flight may: all are one operation. */
        private void keepTrying(long item, BufferedQueueHandle handle, ComputeThread ct) {
            int id = recorder.call(ct.id(), QueueOperation.enqueue(item));
            attempt(List.of(id), () -> {
                while (!handle.tryEnqueue(item, ct)) {
                    ct.pause();
                }
                return item;
            });
            recorder.returned(id, QueueResult.enqueued());
            enqueued.add(item);
        }

        private void enqueueAll(long first, int count, BufferedQueueHandle handle, ComputeThread ct) {
            List<Long> items =
                    IntStream.range(0, count).mapToObj(i -> first + i).toList();
            List<Integer> ids = items.stream()
                    .map(item -> recorder.call(ct.id(), QueueOperation.enqueue(item)))
                    .toList();
            attempt(ids, () -> {
                handle.enqueueAll(items, ct);
                return items;
            });
            ids.forEach(id -> recorder.returned(id, QueueResult.enqueued()));
            enqueued.addAll(items);
        }

        /** Runs the body of operations that were called; if it throws, their outcomes are unknown. */
        private <T> T attempt(List<Integer> ids, Supplier<T> body) {
            try {
                return body.get();
            } catch (RuntimeException e) {
                ids.forEach(id -> recorder.failed(id, e));
                throw e;
            }
        }

        // -------------------------------------------------------------------------------------------- consumers

        private void consume(BufferedQueueHandle handle, SplittableRandom random, ComputeThread ct) {
            while (isAnyLeft(ct)) {
                try {
                    dequeue(handle, random, ct);
                } catch (OutcomeUnknownException e) {
                    ct.pause();
                }
            }
            long start = ct.nanoTime();
            while (!isEmpty(handle, random, ct)) {
                if (ct.nanoTime() - start > PATIENCE_NANOS) {
                    throw new AssertionError("thread " + ct.id() + " waits for an item that will never be there, after "
                            + cluster.struck());
                }
            }
        }

        /** Whether a producer may still enqueue something. */
        private boolean isAnyLeft(ComputeThread ct) {
            return IntStream.range(FIRST_PRODUCER, queue.threads())
                    .anyMatch(thread -> !through.contains(thread) && !ct.peers().isLost(thread));
        }

        private void dequeue(BufferedQueueHandle handle, SplittableRandom random, ComputeThread ct) {
            boolean isOneThere =
                    enqueued.stream().anyMatch(item -> dequeued.stream().noneMatch(items -> items.contains(item)));
            switch (isOneThere ? random.nextInt(3) : 0) {
                case 0 -> {
                    if (tryDequeue(handle, ct) != Dequeued.Kind.ITEM) {
                        ct.pause(POLL_NANOS);
                    }
                }
                case 1 -> dequeueAll(1 + random.nextInt(MAX_BATCH), handle, ct);
                default -> {
                    int id = recorder.call(ct.id(), QueueOperation.dequeue());
                    recorder.returned(id, noted(attempt(List.of(id), () -> handle.dequeue(ct)), ct));
                }
            }
        }

        private QueueResult<Long> noted(long item, ComputeThread ct) {
            dequeued.get(ct.id()).add(item);
            return QueueResult.of(item);
        }

        private Dequeued.Kind tryDequeue(BufferedQueueHandle handle, ComputeThread ct) {
            int id = recorder.call(ct.id(), QueueOperation.dequeue());
            Dequeued<Long> result = attempt(List.of(id), () -> handle.tryDequeue(ct));
            switch (result.kind()) {
                case ITEM -> recorder.returned(id, noted(result.item(), ct));
                case EMPTY -> recorder.returned(id, QueueResult.empty());
                case NOT_READY -> refused.add(id);
            }
            return result.kind();
        }

        private void dequeueAll(int most, BufferedQueueHandle handle, ComputeThread ct) {
            List<Integer> ids = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                ids.add(recorder.call(ct.id(), QueueOperation.dequeue()));
            }
            List<Long> items = new ArrayList<>();
            attempt(ids, () -> {
                handle.dequeueAll(most, items, ct);
                return items;
            });
            for (long item : items) {
                recorder.returned(ids.remove(0), noted(item, ct));
            }
            refused.addAll(ids);
        }

        /** No producer is left: so whatever has been claimed is there, or is passed over at once. */
        private boolean isEmpty(BufferedQueueHandle handle, SplittableRandom random, ComputeThread ct) {
            try {
                boolean triesAll = random.nextBoolean();
                if (triesAll && tryDequeueAll(handle, ct) > 0) {
                    return false;
                }
                Dequeued.Kind kind = tryDequeue(handle, ct);
                if (kind == Dequeued.Kind.NOT_READY || triesAll && kind == Dequeued.Kind.ITEM) {
                    throw new AssertionError("thread " + ct.id() + " finds " + kind + " although "
                            + (triesAll ? "a batch was empty" : "no producer is left") + ", after " + cluster.struck());
                }
                return kind == Dequeued.Kind.EMPTY;
            } catch (OutcomeUnknownException e) {
                ct.pause(POLL_NANOS);
                return false;
            }
        }

        /** Dequeues the items that are there; returns their number, which is 0 only if the queue is empty. */
        private int tryDequeueAll(BufferedQueueHandle handle, ComputeThread ct) {
            List<Integer> ids = new ArrayList<>();
            for (int i = 0; i < MAX_BATCH; i++) {
                ids.add(recorder.call(ct.id(), QueueOperation.dequeue()));
            }
            List<Long> items = new ArrayList<>();
            attempt(ids, () -> {
                handle.tryDequeueAll(MAX_BATCH, items, ct);
                return items;
            });
            for (int i = 0; i < MAX_BATCH; i++) {
                if (i < items.size()) {
                    recorder.returned(ids.get(i), noted(items.get(i), ct));
                } else if (i == 0) {
                    recorder.returned(ids.get(i), QueueResult.empty());
                } else {
                    refused.add(ids.get(i));
                }
            }
            return items.size();
        }

        /** Fills and empties the queue, so that each block is used again. */
        private void refill(BufferedQueueHandle handle, ComputeThread ct) {
            try {
                for (int lap = 0; lap <= 1; lap++) {
                    ct.place(); // all is released
                    for (int i = 0; i < queue.capacity(); i++) {
                        expect(handle.tryEnqueue(-1L - i, ct), "has no room for item " + i, ct);
                    }
                    expect(!handle.tryEnqueue(0L, ct), "has room for too many items", ct);
                    for (int i = 0; i < queue.capacity(); i++) {
                        expect(handle.dequeue(ct) == -1L - i, "does not return item " + i, ct);
                    }
                }
                handle.destroy(ct);
            } catch (OutcomeUnknownException e) {
                // a lane broke only now
            }
        }

        private void expect(boolean isSo, String otherwise, ComputeThread ct) {
            if (!isSo) {
                throw new AssertionError("the queue, empty before, " + otherwise + " for thread " + ct.id() + ", after "
                        + cluster.struck());
            }
        }

        // -------------------------------------------------------------------------------------------- results

        void judge() {
            for (int thread = FIRST_PRODUCER; thread < queue.threads(); thread++) {
                if (!through.contains(thread) && !NodeLosses.isLost(thread, cluster)) {
                    throw new AssertionError("thread " + thread + " waits for ever, after " + cluster.struck());
                }
            }
            if (!isOver && !(isEmptied && NodeLosses.isLost(CONSUMER, cluster))) {
                throw new AssertionError("the queue cannot be emptied, after " + cluster.struck());
            }
            Set<Long> again = dequeuedAgain();
            Checker<QueueOperation<Long>, QueueResult<Long>> checker =
                    queue.promise().checker(new QueueSpecification<>());
            History<QueueOperation<Long>, QueueResult<Long>> history =
                    recorder.history().only(i -> !refused.contains(i.id()) && !isRepeated(i, again));
            Verdict<QueueOperation<Long>, QueueResult<Long>> verdict = checker.check(history);
            (verdict.isRejected() ? new Minimiser<>(checker, QueueSpecification::itemOf).minimise(history) : verdict)
                    .orThrow();
        }

        /** The items that both have dequeued, which must be the last ones of the lost consumer. */
        private Set<Long> dequeuedAgain() {
            List<Long> first = dequeued.get(CONSUMER);
            Set<Long> again = new HashSet<>(dequeued.get(HEIR));
            again.retainAll(first);
            if (!again.equals(new HashSet<>(first.subList(first.size() - again.size(), first.size())))) {
                throw new AssertionError(
                        "of the items " + first + ", which the lost consumer has dequeued, its heir has" + " dequeued "
                                + again + " again, after " + cluster.struck());
            }
            return again;
        }

        /** Whether an item that the lost consumer has dequeued counts as dequeued by its heir. */
        private static boolean isRepeated(Invocation<QueueOperation<Long>, QueueResult<Long>> i, Set<Long> again) {
            return i.thread() == CONSUMER
                    && !i.operation().isEnqueue()
                    && !i.isPending()
                    && i.result().kind() == QueueResult.Kind.ITEM
                    && again.contains(i.result().item());
        }
    }
}
