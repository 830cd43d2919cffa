// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Checker;
import dev.remus.check.History;
import dev.remus.check.Invocation;
import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Minimiser;
import dev.remus.check.Recorder;
import dev.remus.check.Verdict;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.InterruptedWaitException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.Dequeued;
import dev.remus.structures.LockFreeQueue;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.ScalableQueue;
import dev.remus.structures.ShardedQueue;
import dev.remus.structures.TurnRing;
import dev.remus.structures.baseline.CentralizedLockQueue;
import dev.remus.structures.baseline.DecentralizedLockQueue;
import dev.remus.structures.baseline.PublishedLockFreeQueue;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A few threads on two simulated Compute Nodes enqueue and dequeue at random in a queue with room for a number of items
 * of <em>each</em> thread, some of them through one handle after another. The results must be linearizable, including
 * the items left at the end. A thread may get FULL only if that many of its own items can be in the queue. Memory is
 * checked ({@code --check-memory}).
 *
 * <p>With faults, all threads of a lock-free queue must finish their operations, except those that a fault struck.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param capacity the number of items of each thread for which the queue has room
 * @param creator makes the queue
 * @param opener makes a thread's handle to it
 * @param promises the further promises of the queue
 * @param shards the number of queues of which it consists: each is judged by itself, with the enqueues of its own
 *     threads, the dequeues of their items, and all that returned EMPTY
 */
public record PooledQueueScenario(
        int threads, int operations, int capacity, Creator creator, Opener opener, Set<Promise> promises, int shards)
        implements Scenario {

    private static final int MAX_LANES = 4;

    /** About every operation begins a new generation. */
    private static final long LATEST_GENERATION = 12;

    /** A queue with few cells gets through so many turns. */
    private static final long LATEST_TURN = 4;

    private static final int AHEAD_BITS = 6;

    /** A Memory Node is filled with blocks of this size and, where none has room, of smaller ones. */
    private static final long LARGEST_FILLING = 4096;

    private static final int SHARDS = 2;

    /** The faults after which a lane may not be connected again in time. */
    private static final Set<Fault> CUTS = Set.of(Fault.DOWN_LINKS, Fault.LOST_LINKS, Fault.STUCK_LANES);

    /** Promises of some of these queues, besides linearizability. */
    public enum Promise {
        /** FULL is returned only if the queue can hold as many of the thread's items as have room. */
        FULL_IS_TRUE,
        /** The room is that of all threads together, and FULL is returned only if there is none. */
        FULL_IS_EXACT,
        /** A thread that stops keeps no other from finishing, and one whose operation has failed can continue. */
        LOCK_FREE,
        /** An operation ends with its result, however often lanes break, if they can be connected again. */
        DEFINITE,
        /** A thread can continue through another handle. */
        NEW_HANDLES,
        /** No word is both written and changed by atomics, so memory can be checked. */
        SEPARATE_WORDS
    }

    /** Makes a queue of {@code Long} in remote memory. */
    @FunctionalInterface
    public interface Creator {
        /** Makes an empty queue with room for so many items of each thread. */
        RdmaPtr<?> create(int capacity, ComputeThread ct);
    }

    /** Makes a thread's handle. */
    @FunctionalInterface
    public interface Opener {
        /** Makes a handle to what the {@link Creator} made. */
        RemoteQueue<Long> open(RdmaPtr<?> This, ComputeThread ct);
    }

    /** Rejects parameters that cannot be run. */
    public PooledQueueScenario {
        promises = Set.copyOf(promises);
        if (threads < 2 || threads % 2 != 0 || operations < 1 || capacity < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", capacity "
                    + capacity + ": needs an even number of threads, at least one operation and room for one item");
        }
    }

    /** The scenario with a queue that is one. */
    public PooledQueueScenario(
            int threads, int operations, int capacity, Creator creator, Opener opener, Set<Promise> promises) {
        this(threads, operations, capacity, creator, opener, promises, 1);
    }

    /** The scenario with a {@link ShardedQueue} of two shards, which have room for so many items each. */
    public static PooledQueueScenario sharded(int threads, int operations, int capacity) {
        return new PooledQueueScenario(
                threads,
                operations,
                capacity,
                (n, ct) -> ShardedQueue.create(SHARDS * n, SHARDS, Codecs.LONG, ct),
                (This, ct) -> new ShardedQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct),
                EnumSet.of(Promise.FULL_IS_EXACT, Promise.LOCK_FREE, Promise.NEW_HANDLES, Promise.SEPARATE_WORDS),
                SHARDS);
    }

    /** The scenario with a {@link LockFreeQueue}. */
    public static PooledQueueScenario lockFree(int threads, int operations, int capacity) {
        return new PooledQueueScenario(
                threads,
                operations,
                capacity,
                PooledQueueScenario::createLockFree,
                (This, ct) -> new LockFreeQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct),
                EnumSet.complementOf(EnumSet.of(Promise.DEFINITE, Promise.FULL_IS_EXACT)));
    }

    /**
     * Makes a queue; half of the queues begin shortly before generations wrap around, or before half of them are used.
     */
    private static RdmaPtr<?> createLockFree(int capacity, ComputeThread ct) {
        int bits = LockFreeQueue.generationBits(capacity, ct.threads());
        long generation = switch (ct.random().nextInt(4)) {
            case 0 -> -ct.random().nextLong(LATEST_GENERATION);
            case 1 -> (1L << bits - 1) - ct.random().nextLong(LATEST_GENERATION);
            default -> 1;
        };
        return LockFreeQueue.create(capacity, Codecs.LONG, generation, ct);
    }

    /** The scenario with a {@link ScalableQueue}, whose capacity is that of all threads together. */
    public static PooledQueueScenario scalable(int threads, int operations, int capacity) {
        return scalable(threads, operations, capacity, AHEAD_BITS)
                .withPromises(EnumSet.of(
                        Promise.FULL_IS_EXACT, Promise.LOCK_FREE, Promise.NEW_HANDLES, Promise.SEPARATE_WORDS));
    }

    /** The same with cells that get late as soon as they are used while a thread is about to take an item out. */
    public static PooledQueueScenario scalableLate(int threads, int operations, int capacity) {
        return scalable(threads, operations, capacity, 1);
    }

    private static PooledQueueScenario scalable(int threads, int operations, int capacity, int aheadBits) {
        return new PooledQueueScenario(
                threads,
                operations,
                capacity,
                (n, ct) -> createScalable(n, aheadBits, ct),
                (This, ct) -> new ScalableQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct),
                EnumSet.of(Promise.LOCK_FREE, Promise.NEW_HANDLES, Promise.SEPARATE_WORDS));
    }

    /**
     * Makes a queue; half of the queues begin shortly before turns wrap around, or before half of them are used. A
     * quarter of them have their items on another Memory Node.
     */
    private static RdmaPtr<?> createScalable(int capacity, int aheadBits, ComputeThread ct) {
        int bits = ScalableQueue.turnBits(aheadBits, ct);
        long turn = switch (ct.random().nextInt(4)) {
            case 0 -> (1L << bits) - 1 - ct.random().nextLong(LATEST_TURN);
            case 1 -> (1L << bits - 1) - 1 - ct.random().nextLong(LATEST_TURN);
            default -> 0;
        };
        RdmaPtr<TurnRing> This = ScalableQueue.create(capacity, Codecs.LONG, turn, aheadBits, ct);
        fillSeldomBeside(This, ct);
        return This;
    }

    /** For one queue in four, leaves no room on its Memory Node, so that its items get blocks on another one. */
    static void fillSeldomBeside(RdmaPtr<TurnRing> This, ComputeThread ct) {
        if (ct.random().nextInt(4) > 0) {
            return;
        }
        int memoryNode = RdmaPtr.node(This.raw());
        for (long bytes = LARGEST_FILLING; bytes >= Long.BYTES; bytes /= 2) {
            long block = ct.allocateOn(memoryNode, bytes);
            while (RdmaPtr.node(block) == memoryNode) {
                block = ct.allocateOn(memoryNode, bytes);
            }
            ct.free(block, bytes);
        }
    }

    /** The same scenario with another queue, in which each thread keeps one handle. */
    public PooledQueueScenario of(Creator otherCreator, Opener otherOpener) {
        Set<Promise> others = new HashSet<>(promises);
        others.remove(Promise.NEW_HANDLES);
        return new PooledQueueScenario(threads, operations, capacity, otherCreator, otherOpener, others, shards);
    }

    /** The same scenario with a queue that makes only these promises. */
    public PooledQueueScenario withPromises(Set<Promise> others) {
        return new PooledQueueScenario(threads, operations, capacity, creator, opener, others, shards);
    }

    /** The scenario with a {@link CentralizedLockQueue}. */
    public static PooledQueueScenario centralizedLock(int threads, int operations, int capacity) {
        return new PooledQueueScenario(
                threads,
                operations,
                capacity,
                (n, ct) -> CentralizedLockQueue.create(n, Codecs.LONG, ct),
                (This, ct) -> new CentralizedLockQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct),
                EnumSet.of(Promise.FULL_IS_TRUE, Promise.DEFINITE, Promise.NEW_HANDLES, Promise.SEPARATE_WORDS));
    }

    /** The scenario with a {@link DecentralizedLockQueue}. */
    public static PooledQueueScenario decentralizedLock(int threads, int operations, int capacity) {
        return new PooledQueueScenario(
                threads,
                operations,
                capacity,
                (n, ct) -> DecentralizedLockQueue.create(n, Codecs.LONG, ct),
                (This, ct) -> new DecentralizedLockQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct),
                EnumSet.of(Promise.FULL_IS_TRUE, Promise.DEFINITE, Promise.NEW_HANDLES, Promise.SEPARATE_WORDS));
    }

    /** The scenario with the lock-free queue as it was published, whose mistakes its class comment lists. */
    public static PooledQueueScenario published(int threads, int operations, int capacity) {
        return new PooledQueueScenario(
                threads,
                operations,
                capacity,
                (n, ct) -> PublishedLockFreeQueue.create(n, Codecs.LONG, ct),
                (This, ct) -> new PublishedLockFreeQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct),
                EnumSet.of(Promise.LOCK_FREE));
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom drawn = schedule.choices(-1);
        ClusterConfig config = SimulatedCluster.small(threads)
                .onNodeLoss(OnNodeLoss.CONTINUE)
                .lanes(1 + drawn.nextInt(MAX_LANES))
                .lanePolicy(drawn.nextBoolean() ? LanePolicy.RAND : LanePolicy.RR)
                .checkMemory(promises.contains(Promise.SEPARATE_WORDS))
                .build();
        run(new SimulatedCluster(config, schedule), schedule);
    }

    /**
     * Runs the scenario on a given cluster.
     *
     * @return the threads that have ended, after all of their operations or by an exception
     */
    Set<Integer> run(SimulatedCluster cluster, Schedule schedule) throws Exception {
        Recorder<QueueOperation<Long>, QueueResult<Long>> recorder = new Recorder<>();
        Set<Integer> failed = new HashSet<>();
        Set<Integer> ended = new TreeSet<>();
        List<RemoteQueue<Long>> firstThreads = new ArrayList<>();
        cluster.recordedBy(recorder) // no thread reads the sets meanwhile
                .prepared(this::createQueue)
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        empty(firstThreads.get(0), recorder, failed, ct);
                    }
                })
                .run(ct -> {
                    SplittableRandom random = schedule.choices(ct.id());
                    try {
                        RemoteQueue<Long> queue = operate(random, recorder, failed, schedule, ct);
                        if (ct.id() == 0) {
                            firstThreads.add(queue);
                        }
                        ended.add(ct.id());
                    } catch (FabricException e) { // caused by a fault; otherwise it is reported
                        if (promises.contains(Promise.DEFINITE) && !mayEndAnOperation(e, cluster)) {
                            throw new AssertionError(
                                    "an operation of thread " + ct.id() + " has no definite outcome", e);
                        }
                        failed.add(ct.id());
                        ended.add(ct.id());
                        throw e;
                    }
                });
        failed.addAll(cluster.stoppedThreads());
        judge(recorder.history(), failed);
        return ended;
    }

    /** Makes the queue that all threads use. */
    void createQueue(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(creator.create(capacity, ct));
        }
    }

    /** The number of operations that a thread does through its first handle; half of the threads do all. */
    private int operationsThroughFirst(Schedule schedule, ComputeThread ct) {
        SplittableRandom random = schedule.choices(threads + ct.id());
        return promises.contains(Promise.NEW_HANDLES) && random.nextBoolean() ? random.nextInt(operations) : operations;
    }

    /** Whether an operation may end like that although breaks of lanes do not end one. */
    private static boolean mayEndAnOperation(FabricException e, SimulatedCluster cluster) {
        return e instanceof NodeLostException
                || e instanceof InterruptedWaitException
                || cluster.struck().stream().anyMatch(strike -> CUTS.contains(strike.fault()));
    }

    /** Does a thread's operations, and returns its last handle. */
    RemoteQueue<Long> operate(
            SplittableRandom random,
            Recorder<QueueOperation<Long>, QueueResult<Long>> recorder,
            Set<Integer> failed,
            Schedule schedule,
            ComputeThread ct) {
        RemoteQueue<Long> queue = opener.open(ct.root().get(), ct);
        int through = operationsThroughFirst(schedule, ct);
        for (int i = 0; i < operations; i++) {
            if (i == through) {
                queue = opener.open(ct.root().get(), ct);
            }
            try {
                if (random.nextBoolean()) {
                    dequeue(queue, recorder, ct);
                } else {
                    enqueue(queue, (long) ct.id() * operations + i, recorder, ct);
                }
            } catch (NodeLostException e) {
                throw e;
            } catch (FabricException e) { // a lane broke; without locks, the handle stays usable
                if (!promises.contains(Promise.LOCK_FREE)) {
                    throw e;
                }
                failed.add(ct.id());
            }
        }
        return queue;
    }

    private static void empty(
            RemoteQueue<Long> queue,
            Recorder<QueueOperation<Long>, QueueResult<Long>> recorder,
            Set<Integer> failed,
            ComputeThread ct) {
        try {
            takeAll(queue, recorder, ct);
            queue.destroy(ct);
        } catch (FabricException e) { // caused by a fault; otherwise it is reported
            failed.add(ct.id());
            throw e;
        }
    }

    /** Dequeues until the queue is empty. */
    static void takeAll(
            RemoteQueue<Long> queue, Recorder<QueueOperation<Long>, QueueResult<Long>> recorder, ComputeThread ct) {
        while (dequeue(queue, recorder, ct).isItem()) {
            // there may be more
        }
    }

    static void enqueue(
            RemoteQueue<Long> queue,
            long item,
            Recorder<QueueOperation<Long>, QueueResult<Long>> recorder,
            ComputeThread ct) {
        recorder.record(
                ct.id(),
                QueueOperation.enqueue(item),
                () -> queue.tryEnqueue(item, ct) ? QueueResult.enqueued() : QueueResult.full());
    }

    static Dequeued<Long> dequeue(
            RemoteQueue<Long> queue, Recorder<QueueOperation<Long>, QueueResult<Long>> recorder, ComputeThread ct) {
        int id = recorder.call(ct.id(), QueueOperation.dequeue());
        Dequeued<Long> dequeued;
        try {
            dequeued = queue.tryDequeue(ct);
        } catch (RuntimeException e) {
            recorder.failed(id, e);
            throw e;
        }
        recorder.returned(id, dequeued.isItem() ? QueueResult.of(dequeued.item()) : QueueResult.empty());
        return dequeued;
    }

    /**
     * Judges the results.
     *
     * @param mayBePending the threads whose operations need not have ended
     */
    void judge(History<QueueOperation<Long>, QueueResult<Long>> history, Set<Integer> mayBePending) {
        for (Invocation<QueueOperation<Long>, QueueResult<Long>> i : history.invocations()) {
            if (promises.contains(Promise.LOCK_FREE) && i.isPending() && !mayBePending.contains(i.thread())) {
                throw new AssertionError(
                        i + " has not ended, although no fault struck its thread: the queue is not lock-free");
            }
            if (promises.contains(Promise.FULL_IS_TRUE) && isFull(i) && mostInQueue(history, i) < capacity) {
                throw new AssertionError(i + ": at most " + mostInQueue(history, i) + " items of thread " + i.thread()
                        + " were in the queue, which has room for " + capacity);
            }
        }
        for (int shard = 0; shard < shards; shard++) {
            int judged = shard;
            judgeOrder(history.only(i -> concerns(judged, i)));
        }
    }

    /** Whether an invocation is one of a shard, or may be. */
    private boolean concerns(int shard, Invocation<QueueOperation<Long>, QueueResult<Long>> i) {
        if (i.operation().isEnqueue()) {
            return i.thread() % shards == shard;
        }
        boolean hasItem = !i.isPending() && i.result().kind() == QueueResult.Kind.ITEM;
        return !hasItem || i.result().item() / operations % shards == shard;
    }

    private void judgeOrder(History<QueueOperation<Long>, QueueResult<Long>> history) {
        boolean isExact = promises.contains(Promise.FULL_IS_EXACT);
        Checker<QueueOperation<Long>, QueueResult<Long>> checker = new LinearizabilityChecker<>(
                isExact ? new QueueSpecification<Long>(capacity) : new QueueSpecification<Long>());
        History<QueueOperation<Long>, QueueResult<Long>> judged = isExact ? history : history.only(i -> !isFull(i));
        Verdict<QueueOperation<Long>, QueueResult<Long>> verdict = checker.check(judged);
        (verdict.isRejected() ? new Minimiser<>(checker, QueueSpecification::itemOf).minimise(judged) : verdict)
                .orThrow();
    }

    private static boolean isFull(Invocation<QueueOperation<Long>, QueueResult<Long>> i) {
        return !i.isPending() && i.result().kind() == QueueResult.Kind.FULL;
    }

    /** The largest number of its thread's items that can have been in the queue during an enqueue. */
    private long mostInQueue(
            History<QueueOperation<Long>, QueueResult<Long>> history,
            Invocation<QueueOperation<Long>, QueueResult<Long>> full) {
        long items = 0;
        for (Invocation<QueueOperation<Long>, QueueResult<Long>> i : history.invocations()) {
            if (i.thread() == full.thread() && i.operation().isEnqueue() && i.called() < full.called() && !isFull(i)) {
                items++;
            } else if (!i.operation().isEnqueue()
                    && i.isBefore(full)
                    && i.result().kind() == QueueResult.Kind.ITEM
                    && i.result().item() / operations == full.thread()) {
                items--;
            }
        }
        return items;
    }
}
