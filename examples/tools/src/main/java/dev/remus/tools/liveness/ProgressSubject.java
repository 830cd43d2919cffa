package dev.remus.tools.liveness;

import dev.remus.config.Reclamation;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.structures.BufferedQueue;
import dev.remus.structures.KeyType;
import dev.remus.structures.LockFreeListMap;
import dev.remus.structures.LockFreeQueue;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.LongLockFreeListSet;
import dev.remus.structures.LongLongTree;
import dev.remus.structures.RelaxedBufferedQueue;
import dev.remus.structures.RemoteLongSet;
import dev.remus.structures.RemoteMap;
import dev.remus.structures.RemoteQueue;
import dev.remus.structures.RingQueue;
import dev.remus.structures.TreeShape;
import dev.remus.structures.baseline.CentralizedLockQueue;
import dev.remus.structures.baseline.DecentralizedLockQueue;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A structure whose methods are measured.
 *
 * @param name its name on the command line
 * @param reclamation how its memory is reclaimed
 * @param creator creates it, in one thread
 * @param opener opens it for a thread and returns the thread's calls
 */
record ProgressSubject(
        String name,
        Reclamation reclamation,
        Function<ComputeThread, RdmaPtr<?>> creator,
        BiFunction<RdmaPtr<?>, ComputeThread, List<Call>> opener) {
    private static final int KEYS = 4;
    private static final int CAPACITY = 8;

    /** More than a run enqueues, because by its promise a producer that waits for room waits for the consumer. */
    private static final int CAPACITY_FOR_ALL = 64;

    private static final int BLOCK_BYTES = 64;

    /** More quiescent states than a thread passes between two looks at the epoch. */
    private static final int QUIESCENT_STATES = 65;

    /** A subject whose memory is not reclaimed while it is measured. */
    ProgressSubject(
            String name,
            Function<ComputeThread, RdmaPtr<?>> creator,
            BiFunction<RdmaPtr<?>, ComputeThread, List<Call>> opener) {
        this(name, Reclamation.BARRIER, creator, opener);
    }

    /** Does a method's work once. */
    @FunctionalInterface
    interface Body {
        void run(SplittableRandom random);
    }

    /**
     * A method as one thread calls it.
     *
     * @param method its name
     * @param promise the promise in the structure's class comment
     * @param body the call
     */
    record Call(String method, Promise promise, Body body) {}

    /** All of them; a new structure is added here. The last is no structure: the reclamation of memory. */
    static final List<ProgressSubject> ALL = List.of(
            new ProgressSubject("lazylist", LongLazyListSet::create, ProgressSubject::lazyList),
            new ProgressSubject("lockfreelist", LongLockFreeListSet::create, ProgressSubject::lockFreeList),
            new ProgressSubject("lockfreemap", LockFreeListMap::create, ProgressSubject::lockFreeMap),
            new ProgressSubject("tree", ct -> LongLongTree.create(new TreeShape(3), ct), ProgressSubject::tree),
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
            new ProgressSubject("epochs", Reclamation.EPOCHS, ct -> RdmaPtr.nullPointer(), (This, ct) -> epochs(ct)));

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
                new Call("scanDown", Promise.BLOCKING, random -> map.scanDown(KEYS, 0, KEYS, (key, value) -> {}, ct)));
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
