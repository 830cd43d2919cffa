package dev.remus.tools.scenarios;

import dev.remus.simulation.Scenario;
import dev.remus.simulation.scenario.AllocatorScenario;
import dev.remus.simulation.scenario.ArenaScenario;
import dev.remus.simulation.scenario.AsyncScenario;
import dev.remus.simulation.scenario.BarrierBreakScenario;
import dev.remus.simulation.scenario.BarrierLossScenario;
import dev.remus.simulation.scenario.BarrierScenario;
import dev.remus.simulation.scenario.CacheScenario;
import dev.remus.simulation.scenario.CompletionScenario;
import dev.remus.simulation.scenario.EpochScenario;
import dev.remus.simulation.scenario.FenceScenario;
import dev.remus.simulation.scenario.FullMemoryScenario;
import dev.remus.simulation.scenario.GarbageScenario;
import dev.remus.simulation.scenario.HandoverScenario;
import dev.remus.simulation.scenario.LaneRecoveryScenario;
import dev.remus.simulation.scenario.LockBreaksScenario;
import dev.remus.simulation.scenario.LockFateScenario;
import dev.remus.simulation.scenario.LockLossScenario;
import dev.remus.simulation.scenario.LockPatienceScenario;
import dev.remus.simulation.scenario.LockRecoveryScenario;
import dev.remus.simulation.scenario.LockScenario;
import dev.remus.simulation.scenario.NamedRootsScenario;
import dev.remus.simulation.scenario.ReclamationScenario;
import dev.remus.simulation.scenario.ReturnScenario;
import dev.remus.simulation.scenario.SequenceScenario;
import dev.remus.simulation.scenario.SharingScenario;
import dev.remus.simulation.scenario.StampScenario;
import dev.remus.simulation.scenario.VersionedScenario;
import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.HalfRemovedScenario;
import dev.remus.structures.spec.HalfReplacedScenario;
import dev.remus.structures.spec.HashMapLossScenario;
import dev.remus.structures.spec.HashMapScenario;
import dev.remus.structures.spec.LockQueueLossScenario;
import dev.remus.structures.spec.LonelySetScenario;
import dev.remus.structures.spec.MapScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.QueueLossScenario;
import dev.remus.structures.spec.Reuse;
import dev.remus.structures.spec.RingEdgesScenario;
import dev.remus.structures.spec.SetBreaksScenario;
import dev.remus.structures.spec.SetChurnScenario;
import dev.remus.structures.spec.SetLossScenario;
import dev.remus.structures.spec.SetScenario;
import dev.remus.structures.spec.TreeLossScenario;
import dev.remus.structures.spec.TreeScenario;
import dev.remus.structures.spec.UnblockedScenario;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A scenario that can be checked by name.
 *
 * @param name the name on the command line
 * @param summary the checked property, in a few words
 * @param defaultSize the default size; with 0 keys if the scenario has no keys
 * @param factory creates the scenario in a given size
 */
public record NamedScenario(String name, String summary, Size defaultSize, Function<Size, Scenario> factory) {
    /** A limit close to the usual wait for a lock, so that some threads get it in time. */
    private static final long LOCK_TIMEOUT_NANOS = 20_000;

    /** The capacity of the cache, smaller than the list, so that entries are evicted. */
    private static final int CACHED_NODES = 4;

    /** The capacity of a cache that keeps most of its entries. */
    private static final int MANY_CACHED_NODES = 64;

    /** All scenarios, including those of new structures. */
    public static final List<NamedScenario> ALL = List.of(
            new NamedScenario(
                    "lazylist",
                    "the lazy list is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> SetScenario.lazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "fastlist",
                    "the fast lazy list is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "cachedlist",
                    "the fast lazy list with a cache of four nodes is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), true, CACHED_NODES)),
            new NamedScenario(
                    "cachedlist-epochs",
                    "the fast lazy list with a cache is linearizable while its memory is reused by epochs",
                    new Size(4, 8, 3),
                    s -> SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), false, MANY_CACHED_NODES)
                            .with(Reuse.EPOCHS)),
            new NamedScenario(
                    "lazylist-short",
                    "the lazy list is linearizable in short runs, which allow more schedules",
                    new Size(4, 3, 2),
                    s -> SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false)),
            new NamedScenario(
                    "fastlist-short",
                    "the fast lazy list is linearizable in short runs, which allow more schedules",
                    new Size(4, 3, 2),
                    s -> SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false)),
            new NamedScenario(
                    "widelist",
                    "the lazy list is linearizable with keys longer than a word",
                    new Size(4, 8, 3),
                    s -> SetScenario.wideLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "widefastlist",
                    "the fast lazy list is linearizable with keys longer than a word",
                    new Size(4, 8, 3),
                    s -> SetScenario.wideFastLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lazylist-loss",
                    "lost nodes leave no node of the lazy list locked",
                    new Size(4, 6, 3),
                    s -> new SetLossScenario(SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "fastlist-loss",
                    "lost nodes leave no node of the fast lazy list locked",
                    new Size(4, 6, 3),
                    s -> new SetLossScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "cachedlist-loss",
                    "lost nodes leave no node of the cached list locked",
                    new Size(4, 6, 3),
                    s -> new SetLossScenario(
                            SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), false, CACHED_NODES))),
            new NamedScenario(
                    "fastlist-alone",
                    "a single user of the fast lazy list never waits for itself when lanes break",
                    new Size(2, 12, 9),
                    s -> new LonelySetScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "lazylist-breaks",
                    "repeatedly broken lanes leave no node of the lazy list locked",
                    new Size(4, 8, 3),
                    s -> new SetBreaksScenario(SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "fastlist-breaks",
                    "repeatedly broken lanes leave no node of the fast lazy list locked",
                    new Size(4, 8, 3),
                    s -> new SetBreaksScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "cachedlist-breaks",
                    "repeatedly broken lanes leave no node of the cached list locked",
                    new Size(4, 8, 3),
                    s -> new SetBreaksScenario(
                            SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), false, CACHED_NODES))),
            new NamedScenario(
                    "lazylist-half",
                    "a node of the lazy list half removed when a lane broke blocks no thread",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.lazy(SetScenario.lazyList(s.threads(), s.operations(), s.keys(), true))),
            new NamedScenario(
                    "fastlist-half",
                    "a node of the fast lazy list half removed when a lane broke blocks no thread",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.fast(
                            SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), true))),
            new NamedScenario(
                    "cachedlist-half",
                    "a node of the cached list half removed when a lane broke blocks no thread",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.fast(
                            SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), true, CACHED_NODES))),
            new NamedScenario(
                    "lockfreelist",
                    "the lock-free list is linearizable, even when memory is reused",
                    new Size(4, 8, 3),
                    s -> SetScenario.lockFreeList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lockfreelist-short",
                    "the lock-free list is linearizable in short runs, which allow more schedules",
                    new Size(4, 3, 2),
                    s -> SetScenario.lockFreeList(s.threads(), s.operations(), s.keys(), false)),
            new NamedScenario(
                    "widelockfreelist",
                    "the lock-free list is linearizable with keys longer than a word",
                    new Size(4, 8, 3),
                    s -> SetScenario.wideLockFreeList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lockfreelist-churn",
                    "the lock-free list retires what it removes: memory has room for a few nodes only",
                    new Size(2, 80, 2),
                    s -> new SetChurnScenario(SetScenario.lockFreeList(s.threads(), s.operations(), s.keys(), true))),
            new NamedScenario(
                    "lockfreelist-loss",
                    "lost threads and broken lanes block no other thread of the lock-free list",
                    new Size(4, 6, 2),
                    s -> new UnblockedScenario(SetScenario.lockFreeList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "lockfreemap",
                    "the map on the lock-free list is linearizable, even when memory is reused",
                    new Size(4, 8, 2),
                    s -> MapScenario.lockFreeList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lockfreemap-loss",
                    "lost threads and broken lanes block no other thread of the map on the lock-free list",
                    new Size(4, 6, 2),
                    s -> new UnblockedScenario(MapScenario.lockFreeList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "map",
                    "the hash map is linearizable while its buckets are split, even when memory is reused",
                    new Size(4, 8, 6),
                    s -> HashMapScenario.growing(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "map-collide",
                    "the hash map is linearizable when all keys share a bucket, whose slots are reused",
                    new Size(4, 8, 3),
                    s -> HashMapScenario.colliding(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "map-texts",
                    "the hash map is linearizable with keys and values of different lengths",
                    new Size(4, 8, 6),
                    s -> HashMapScenario.texts(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "map-batches",
                    "the hash map is linearizable when its values are looked up and set in batches",
                    new Size(4, 8, 4),
                    s -> HashMapScenario.batches(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "map-loss",
                    "a lost thread or broken lanes at any step of a split block no other thread of the hash map",
                    new Size(4, 8, 6),
                    s -> new HashMapLossScenario(
                            HashMapScenario.growing(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "tree",
                    "the ordered map is linearizable, scans key by key, while its nodes are split",
                    new Size(4, 8, 8),
                    s -> TreeScenario.shipped(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "tree-loss",
                    "lost threads and broken lanes leave no node of the ordered map locked or half changed",
                    new Size(4, 6, 6),
                    s -> new TreeLossScenario(TreeScenario.shipped(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "buffered",
                    "the buffered queue is linearizable; keys are its capacity",
                    new Size(4, 6, 2),
                    s -> BufferedQueueScenario.buffered(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "buffered-in-place",
                    "the buffered queue is linearizable with items in place and items given up; keys are its capacity",
                    new Size(4, 6, 2),
                    s -> BufferedQueueScenario.inPlace(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "buffered-relaxed",
                    "the relaxed buffered queue is quiescently consistent; keys are its capacity",
                    new Size(4, 6, 2),
                    s -> BufferedQueueScenario.relaxed(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "buffered-edges",
                    "the buffered queue is correct when empty, when full, and after the loss of its consumer",
                    new Size(4, 1, 2),
                    s -> RingEdgesScenario.buffered(s.keys())),
            new NamedScenario(
                    "buffered-relaxed-edges",
                    "the relaxed buffered queue is correct when empty, when full, and after the loss of its consumer",
                    new Size(4, 1, 2),
                    s -> RingEdgesScenario.relaxed(s.keys())),
            new NamedScenario(
                    "nd",
                    "the lock-free queue is linearizable and never waits; keys are the capacity of each thread",
                    new Size(4, 12, 2),
                    s -> PooledQueueScenario.lockFree(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "scalable",
                    "the scalable queue is linearizable, EMPTY and FULL included, and none waits; keys are its capacity",
                    new Size(4, 8, 2),
                    s -> PooledQueueScenario.scalable(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "scalable-late",
                    "the scalable queue is linearizable after a thread was away for more turns than are counted",
                    new Size(6, 8, 1),
                    s -> PooledQueueScenario.scalableLate(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "scalable-waits",
                    "the scalable queue is linearizable when its threads wait; keys are its capacity",
                    new Size(4, 6, 2),
                    s -> BufferedQueueScenario.scalable(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "scalable-loss",
                    "a lost thread or a broken lane blocks no other thread of the scalable queue",
                    new Size(4, 8, 2),
                    s -> new QueueLossScenario(PooledQueueScenario.scalable(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "scalable-breaks",
                    "repeatedly broken lanes leave the scalable queue linearizable, and no thread waiting",
                    new Size(4, 8, 1),
                    s -> new BrokenLanesScenario(PooledQueueScenario.scalable(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "bd",
                    "the decentralised lock-based queue is linearizable; keys are the capacity of each thread",
                    new Size(4, 8, 2),
                    s -> PooledQueueScenario.decentralizedLock(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "bc",
                    "the centralised lock-based queue is linearizable; keys are the capacity of each thread",
                    new Size(4, 8, 2),
                    s -> PooledQueueScenario.centralizedLock(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "nd-loss",
                    "a lost thread or a broken lane blocks no other thread of the lock-free queue",
                    new Size(4, 12, 2),
                    s -> new QueueLossScenario(PooledQueueScenario.lockFree(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "nd-breaks",
                    "repeatedly broken lanes lose no item and no cell of the lock-free queue",
                    new Size(4, 14, 1),
                    s -> new BrokenLanesScenario(PooledQueueScenario.lockFree(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "bd-breaks",
                    "each operation of the decentralised queue ends with its result, however often lanes break",
                    new Size(4, 8, 2),
                    s -> new BrokenLanesScenario(
                            PooledQueueScenario.decentralizedLock(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "bc-breaks",
                    "each operation of the centralised queue ends with its result, however often lanes break",
                    new Size(4, 8, 2),
                    s -> new BrokenLanesScenario(
                            PooledQueueScenario.centralizedLock(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "bd-loss",
                    "lost threads leave nothing half done in the decentralised queue, and no room taken",
                    new Size(4, 6, 2),
                    s -> new LockQueueLossScenario(
                            PooledQueueScenario.decentralizedLock(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "bd-late",
                    "a late thread recognises an element that a lost one has half replaced; keys are the capacity",
                    new Size(2, 8, 1),
                    s -> new HalfReplacedScenario(
                            PooledQueueScenario.decentralizedLock(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "bc-loss",
                    "lost threads leave nothing half done in the centralised queue, and no room taken",
                    new Size(4, 6, 2),
                    s -> new LockQueueLossScenario(
                            PooledQueueScenario.centralizedLock(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "barrier",
                    "no thread leaves the control barrier before all have arrived; each operation is a round",
                    new Size(4, 4, 0),
                    s -> BarrierScenario.control(s.threads(), s.operations())),
            new NamedScenario(
                    "barrier-loss",
                    "the barrier of all does without lost and finished threads, and all agree on who took part",
                    new Size(4, 4, 0),
                    s -> new BarrierLossScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "barrier-break",
                    "an arrival at the moment of a loss leaves the control barrier broken",
                    new Size(4, 3, 0),
                    s -> new BarrierBreakScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "allocator",
                    "no block is allocated twice, and allocation fails only when memory is exhausted",
                    new Size(4, 10, 0),
                    s -> AllocatorScenario.shipped(s.threads(), s.operations())),
            new NamedScenario(
                    "sharing",
                    "no free block is lost in the shared free lists or taken from them twice",
                    new Size(4, 10, 0),
                    s -> new SharingScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "arenas",
                    "threads that end leave the unused part of their memory to the others; no byte is lost",
                    new Size(4, 14, 0),
                    s -> new ArenaScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "handover",
                    "posted writes are visible after the barrier and the root; only one thread may free a block",
                    new Size(4, 4, 0),
                    s -> new HandoverScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "names",
                    "threads that ask for a named root at the same time all get the same one",
                    new Size(4, 3, 0),
                    s -> new NamedRootsScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "async",
                    "asynchronous operations complete once; no wait for them ends early, late or twice",
                    new Size(4, 5, 0),
                    s -> AsyncScenario.shipped(s.threads(), s.operations())),
            new NamedScenario(
                    "completions",
                    "barriers of completions and waits with a limit are right however late a request is",
                    new Size(4, 8, 0),
                    s -> new CompletionScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "sequences",
                    "sequences execute in order, and are visible and complete when they end",
                    new Size(4, 8, 0),
                    s -> new SequenceScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "lanes",
                    "an operation that fails with its lane is executed at most once, all others exactly once",
                    new Size(4, 16, 0),
                    s -> new LaneRecoveryScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "cache",
                    "cached copies are those of the record now in the block, and end with each barrier",
                    new Size(4, 12, 0),
                    s -> new CacheScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "stamps",
                    "while memory is reused, a cached record passes for no other one, and lasts as long as it is there",
                    new Size(4, 12, 0),
                    s -> StampScenario.shipped(s.threads(), s.operations())),
            new NamedScenario(
                    "versioned",
                    "a consistent read of a versioned record is of one moment, and not stale",
                    new Size(4, 6, 0),
                    s -> new VersionedScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "reclamation",
                    "no thread reads reclaimed memory, and deferred blocks are reclaimed",
                    new Size(4, 9, 0),
                    s -> ReclamationScenario.afterBarrier(s.threads(), s.operations())),
            new NamedScenario(
                    "epochs",
                    "no block is reused by epochs under a thread that holds a pointer to it",
                    new Size(4, 12, 0),
                    s -> EpochScenario.shipped(s.threads(), s.operations(), false)),
            new NamedScenario(
                    "epochs-loss",
                    "a lost node, broken lanes and threads that go offline hold no retired block up for ever",
                    new Size(4, 12, 0),
                    s -> EpochScenario.shipped(s.threads(), s.operations(), true)),
            new NamedScenario(
                    "epochs-full",
                    "full memory serves each thread while retired blocks return by epochs",
                    new Size(4, 24, 0),
                    s -> FullMemoryScenario.shipped(s.threads(), s.operations())),
            new NamedScenario(
                    "epochs-garbage",
                    "no block is still held in the third epoch after the one in which it was retired",
                    new Size(4, 12, 0),
                    s -> GarbageScenario.shipped(s.threads(), s.operations())),
            new NamedScenario(
                    "lock",
                    "one thread holds the lock at a time, in ticket order; a thread that gives up blocks no other",
                    new Size(4, 8, 0),
                    s -> LockScenario.remoteLock(s.threads(), s.operations(), LOCK_TIMEOUT_NANOS)),
            new NamedScenario(
                    "lock-breaks",
                    "repeatedly broken lanes lose no ticket of a lock, and leave no lock taken",
                    new Size(4, 6, 0),
                    s -> new LockBreaksScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-patience",
                    "a wait for a lock ends at its limit, and a later retry keeps its place",
                    new Size(4, 3, 0),
                    s -> new LockPatienceScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "fence",
                    "nothing of a lost node arrives once others may take over, and a zombie ends with that reason",
                    new Size(4, 5, 0),
                    s -> new FenceScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "return",
                    "a lost node comes back, with nothing of its earlier life, and meets the others at barriers",
                    new Size(4, 3, 0),
                    s -> new ReturnScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-loss",
                    "a waiter for a lock gets it, even if the holder is lost",
                    new Size(4, 6, 0),
                    s -> new LockLossScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-recovery",
                    "after the death of its holders a lock goes to the next in line, who learns of it",
                    new Size(4, 6, 0),
                    s -> LockRecoveryScenario.remoteLock(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-fate",
                    "a waiter for a lock that is lost or has given up blocks no other",
                    new Size(6, 2, 0),
                    s -> new LockFateScenario(s.threads(), s.operations(), LockFateScenario.Fate.LOST)),
            new NamedScenario(
                    "lock-late",
                    "a ticket that is claimed late is served or drawn anew, and blocks no other",
                    new Size(6, 2, 0),
                    s -> new LockFateScenario(s.threads(), s.operations(), LockFateScenario.Fate.LATE)));

    /** Finds a scenario by name. */
    public static Optional<NamedScenario> find(String name) {
        return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst();
    }

    /** The names of all scenarios. */
    public static List<String> names() {
        return ALL.stream().map(NamedScenario::name).toList();
    }

    /** Whether the scenario uses keys. */
    public boolean hasKeys() {
        return defaultSize.keys() > 0;
    }
}
