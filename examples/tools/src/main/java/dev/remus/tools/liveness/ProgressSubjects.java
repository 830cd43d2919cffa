// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.liveness;

import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.Encoding;
import dev.remus.structures.KeyType;
import dev.remus.structures.LockFreeListMap;
import dev.remus.structures.LockFreeQueue;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.LongLockFreeListSet;
import dev.remus.structures.LongLongTree;
import dev.remus.structures.MapShape;
import dev.remus.structures.RelaxedBufferedQueue;
import dev.remus.structures.RemoteCounter;
import dev.remus.structures.RemoteHashMap;
import dev.remus.structures.RemoteLongSet;
import dev.remus.structures.RemoteMap;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.RingQueue;
import dev.remus.structures.ScalableQueue;
import dev.remus.structures.ShardedQueue;
import dev.remus.structures.TreeShape;
import dev.remus.structures.TreeTable;
import dev.remus.structures.baseline.CentralizedLockQueue;
import dev.remus.structures.baseline.DecentralizedLockQueue;
import dev.remus.tools.liveness.ProgressSubject.Call;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The structures whose progress is measured. */
final class ProgressSubjects {
    private static final int KEYS = 4;
    private static final int LEAVES = 8;
    private static final int LEAF_ENTRIES = 4;
    private static final int CAPACITY = 8;

    /** More than a run enqueues, because by its promise a producer that waits for room waits for the consumer. */
    private static final int CAPACITY_FOR_ALL = 64;

    private static final int BLOCK_BYTES = 64;

    /** More quiescent states than a thread passes between two looks at the epoch. */
    private static final int QUIESCENT_STATES = 65;

    /** All of them; a new structure is added here. The last is no structure: the reclamation of memory. */
    static final List<ProgressSubject> ALL = List.of(
            new ProgressSubject("lazylist", LongLazyListSet::create, ProgressSubjects::lazyList),
            new ProgressSubject("lockfreelist", LongLockFreeListSet::create, ProgressSubjects::lockFreeList),
            new ProgressSubject("lockfreemap", LockFreeListMap::create, ProgressSubjects::lockFreeMap),
            new ProgressSubject("tree", ct -> LongLongTree.create(new TreeShape(3), ct), ProgressSubjects::tree),
            new ProgressSubject(
                    "tree-removal",
                    Reclamation.EPOCHS,
                    ProgressSubjects::treeOfSmallLeaves,
                    ProgressSubjects::treeRemoval),
            new ProgressSubject(
                    "hashmap", ct -> RemoteHashMap.create(new MapShape(2, -1), ct), ProgressSubjects::hashMap),
            queue(
                    "bc",
                    ct -> CentralizedLockQueue.create(CAPACITY, Codecs.LONG, ct),
                    Promise.BLOCKING,
                    (This, ct) -> new CentralizedLockQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct)),
            queue(
                    "bd",
                    ct -> DecentralizedLockQueue.create(CAPACITY, Codecs.LONG, ct),
                    Promise.BLOCKING,
                    (This, ct) -> new DecentralizedLockQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct)),
            queue(
                    "nd",
                    ct -> LockFreeQueue.create(CAPACITY, Codecs.LONG, ct),
                    Promise.LOCK_FREE,
                    (This, ct) -> new LockFreeQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct)),
            new ProgressSubject(
                    "buffered",
                    ct -> BufferedQueue.create(CAPACITY_FOR_ALL, Codecs.LONG, ct),
                    (This, ct) -> ring(new BufferedQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct), ct)),
            new ProgressSubject(
                    "buffered-relaxed",
                    ct -> RelaxedBufferedQueue.create(CAPACITY_FOR_ALL, Codecs.LONG, ct),
                    (This, ct) -> ring(new RelaxedBufferedQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct), ct)),
            queue(
                    "scalable",
                    ct -> ScalableQueue.create(CAPACITY, Codecs.LONG, ct),
                    Promise.OBSTRUCTION_FREE,
                    (This, ct) -> new ScalableQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct)),
            queue(
                    "sharded",
                    ct -> ShardedQueue.create(CAPACITY, 2, Codecs.LONG, ct),
                    Promise.OBSTRUCTION_FREE,
                    (This, ct) -> new ShardedQueue<>(new RdmaPtr<>(This.raw()), Codecs.LONG, ct)),
            new ProgressSubject("counter", ct -> RemoteCounter.create(2, ct), ProgressSubjects::counter),
            LockSubjects.LOCK,
            LockSubjects.QUEUE_LOCK,
            LockSubjects.COHORT_LOCK,
            LockSubjects.READ_WRITE_LOCK,
            LockSubjects.SEMAPHORE,
            LockSubjects.LATCH,
            LockSubjects.LEADER,
            new ProgressSubject("epochs", Reclamation.EPOCHS, ct -> RdmaPtr.nullPointer(), (This, ct) -> epochs(ct)));

    private ProgressSubjects() {}

    private static List<Call> lazyList(RdmaPtr<?> This, ComputeThread ct) {
        return set(new LongLazyListSet(new RdmaPtr<>(This.raw())), Promise.BLOCKING, ct);
    }

    private static List<Call> lockFreeList(RdmaPtr<?> This, ComputeThread ct) {
        return set(new LongLockFreeListSet(new RdmaPtr<>(This.raw())), Promise.LOCK_FREE, ct);
    }

    private static List<Call> set(RemoteLongSet set, Promise ofUpdates, ComputeThread ct) {
        return List.of(
                new Call("contains", Promise.WAIT_FREE, random -> set.contains(random.nextLong(KEYS), ct)),
                new Call("insert", ofUpdates, random -> set.insert(random.nextLong(KEYS), ct)),
                new Call("remove", ofUpdates, random -> set.remove(random.nextLong(KEYS), ct)));
    }

    private static List<Call> lockFreeMap(RdmaPtr<?> This, ComputeThread ct) {
        RemoteMap<Integer, Long> map =
                new LockFreeListMap<>(new RdmaPtr<>(This.raw()), KeyType.of(Codecs.INT), Codecs.LONG);
        return List.of(
                new Call("get", Promise.LOCK_FREE, random -> map.get(random.nextInt(KEYS), ct)),
                new Call("put", Promise.LOCK_FREE, random -> map.put(random.nextInt(KEYS), 1L, ct)),
                new Call("putIfAbsent", Promise.LOCK_FREE, random -> map.putIfAbsent(random.nextInt(KEYS), 1L, ct)),
                new Call("replace", Promise.LOCK_FREE, random -> map.replace(random.nextInt(KEYS), 1L, 1L, ct)),
                new Call("remove", Promise.LOCK_FREE, random -> map.remove(random.nextInt(KEYS), ct)));
    }

    /** In leaves of three entries, so that an operation may find one that is being split. */
    private static List<Call> tree(RdmaPtr<?> This, ComputeThread ct) {
        LongLongTree map = new LongLongTree(new RdmaPtr<>(This.raw()), 0, ct);
        return List.of(
                new Call("get", Promise.BLOCKING, random -> map.get(random.nextLong(KEYS), ct)),
                new Call("put", Promise.BLOCKING, random -> map.put(random.nextLong(KEYS), 1, ct)),
                new Call("remove", Promise.BLOCKING, random -> map.remove(random.nextLong(KEYS), ct)),
                new Call("scan", Promise.BLOCKING, random -> map.scan(0, KEYS, KEYS, (key, value) -> {}, ct)),
                new Call("scanDown", Promise.BLOCKING, random -> map.scanDown(KEYS, 0, KEYS, (key, value) -> {}, ct)),
                new Call(
                        "scanSnapshot",
                        Promise.BLOCKING,
                        random -> map.scanSnapshot(0, KEYS, KEYS, (key, value) -> {}, ct)));
    }

    /** Leaves with room for four entries, and one in each. */
    private static RdmaPtr<?> treeOfSmallLeaves(ComputeThread ct) {
        RdmaPtr<TreeTable> This = LongLongTree.create(new TreeShape(LEAF_ENTRIES), ct);
        LongLongTree map = new LongLongTree(This, 0, ct);
        for (long key = 0; key < LEAVES * LEAF_ENTRIES; key++) {
            map.put(key, 1, ct);
        }
        for (long key = 0; key < LEAVES * LEAF_ENTRIES; key++) {
            if (key % LEAF_ENTRIES != 0) {
                map.remove(key, ct);
            }
        }
        return This;
    }

    /** A removal of a key that is there leaves most leaves empty. */
    private static List<Call> treeRemoval(RdmaPtr<?> This, ComputeThread ct) {
        LongLongTree map = new LongLongTree(new RdmaPtr<>(This.raw()), 0, ct);
        return List.of(
                new Call("get", Promise.BLOCKING, random -> map.get(keyOfTree(random), ct)),
                new Call("put", Promise.BLOCKING, random -> map.put(keyOfTree(random), 1, ct)),
                new Call("remove", Promise.BLOCKING, random -> map.remove(keyOfTree(random), ct)),
                new Call(
                        "scan",
                        Promise.BLOCKING,
                        random -> map.scan(0, LEAVES * LEAF_ENTRIES, LEAVES, (key, value) -> {}, ct)));
    }

    private static long keyOfTree(SplittableRandom random) {
        return (long) random.nextInt(LEAVES) * LEAF_ENTRIES;
    }

    /** In buckets of two slots, so that an operation may find one that is being split. */
    private static List<Call> hashMap(RdmaPtr<?> This, ComputeThread ct) {
        RemoteHashMap<Long, Long> map = new RemoteHashMap<>(
                new RdmaPtr<>(This.raw()), Encoding.of(Codecs.LONG), Encoding.of(Codecs.LONG), 0, ct);
        return List.of(
                new Call("get", Promise.LOCK_FREE, random -> map.get(key(random), ct)),
                new Call("put", Promise.LOCK_FREE, random -> map.put(key(random), 1L, ct)),
                new Call("putIfAbsent", Promise.LOCK_FREE, random -> map.putIfAbsent(key(random), 1L, ct)),
                new Call("replace", Promise.LOCK_FREE, random -> map.replace(key(random), 1L, 1L, ct)),
                new Call("remove", Promise.LOCK_FREE, random -> map.remove(key(random), ct)),
                new Call("compute", Promise.LOCK_FREE, random -> map.compute(key(random), (key, value) -> 1L, ct)),
                new Call("getAll", Promise.LOCK_FREE, random -> map.getAll(List.of(key(random), key(random)), ct)),
                new Call("putAll", Promise.LOCK_FREE, random -> map.putAll(Map.of(key(random), 1L, 2L * KEYS, 1L), ct)),
                new Call("forEach", Promise.LOCK_FREE, random -> map.forEach((key, value) -> {}, ct)));
    }

    private static long key(SplittableRandom random) {
        return random.nextLong(2 * KEYS);
    }

    private static List<Call> counter(RdmaPtr<?> This, ComputeThread ct) {
        RemoteCounter counter = new RemoteCounter(new RdmaPtr<>(This.raw()), ct);
        return List.of(
                new Call("add", Promise.WAIT_FREE, random -> counter.add(1, ct)),
                new Call("sum", Promise.WAIT_FREE, random -> counter.sum(ct)));
    }

    /** The methods of a thread that reclaim memory by epochs, and a wait until what it has retired is free. */
    private static List<Call> epochs(ComputeThread ct) {
        return List.of(
                new Call("quiescent", Promise.WAIT_FREE, random -> passQuiescentStates(ct)),
                new Call("offline", Promise.WAIT_FREE, random -> ct.offline(() -> {})),
                new Call(
                        "schedReclaim",
                        Promise.WAIT_FREE,
                        random -> ct.schedReclaim(ct.allocate(BLOCK_BYTES), BLOCK_BYTES)),
                new Call("reuse of a retired block", Promise.BLOCKING, random -> {
                    ct.schedReclaim(ct.allocate(BLOCK_BYTES), BLOCK_BYTES);
                    while (ct.metrics().retired() > 0) {
                        passQuiescentStates(ct);
                        ct.pause();
                    }
                }));
    }

    private static void passQuiescentStates(ComputeThread ct) {
        for (int i = 0; i < QUIESCENT_STATES; i++) {
            ct.quiescent();
        }
    }

    private static ProgressSubject queue(
            String name,
            Function<ComputeThread, RdmaPtr<?>> creator,
            Promise promise,
            BiFunction<RdmaPtr<?>, ComputeThread, RemoteQueue<Long>> opener) {
        return new ProgressSubject(name, creator, (This, ct) -> {
            RemoteQueue<Long> queue = opener.apply(This, ct);
            return List.of(
                    new Call("tryEnqueue", promise, random -> queue.tryEnqueue(random.nextLong(), ct)),
                    new Call("tryDequeue", promise, random -> queue.tryDequeue(ct)));
        });
    }

    /** The first thread dequeues, with tryDequeue only, because it makes more calls than there are items. */
    private static List<Call> ring(RingQueue<Long> queue, ComputeThread ct) {
        return ct.id() == 0
                ? List.of(new Call("tryDequeue", Promise.WAIT_FREE, random -> queue.tryDequeue(ct)))
                : List.of(
                        new Call("enqueue", Promise.BLOCKING, random -> queue.enqueue(random.nextLong(), ct)),
                        new Call("tryEnqueue", Promise.LOCK_FREE, random -> queue.tryEnqueue(random.nextLong(), ct)));
    }
}
