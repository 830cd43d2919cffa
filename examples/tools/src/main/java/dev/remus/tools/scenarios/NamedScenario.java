package dev.remus.tools.scenarios;

import dev.remus.simulation.Scenario;
import dev.remus.simulation.scenario.AllocatorScenario;
import dev.remus.simulation.scenario.AsyncScenario;
import dev.remus.simulation.scenario.BarrierBreakScenario;
import dev.remus.simulation.scenario.BarrierLossScenario;
import dev.remus.simulation.scenario.BarrierScenario;
import dev.remus.simulation.scenario.HandoverScenario;
import dev.remus.simulation.scenario.LockFateScenario;
import dev.remus.simulation.scenario.LockLossScenario;
import dev.remus.simulation.scenario.LockPatienceScenario;
import dev.remus.simulation.scenario.LockScenario;
import dev.remus.simulation.scenario.ReclamationScenario;
import dev.remus.simulation.scenario.SharingScenario;
import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.HalfRemovedScenario;
import dev.remus.structures.spec.LonelySetScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.QueueLossScenario;
import dev.remus.structures.spec.RingEdgesScenario;
import dev.remus.structures.spec.SetLossScenario;
import dev.remus.structures.spec.SetScenario;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What can be checked by name.
 *
 * @param name a word
 * @param summary what it checks, in a few words
 * @param usual the size that is checked unless another is asked for; without keys if these mean nothing here
 * @param factory makes the scenario in a size
 */
public record NamedScenario(String name, String summary, Size usual, Function<Size, Scenario> factory) {
    /** About as long as it takes until a lock is free: some get it in time. */
    private static final long LOCK_PATIENCE_NANOS = 20_000;

    /** Fewer than there are, with the head, so that some have to make room for others. */
    private static final int CACHED_NODES = 4;

    /** All of them; a new structure is added here. */
    public static final List<NamedScenario> ALL = List.of(
            new NamedScenario(
                    "lazylist",
                    "the lazy list is linearizable, also when memory is used again",
                    new Size(4, 8, 3),
                    s -> SetScenario.lazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "fastlist",
                    "the fast lazy list is linearizable, also when memory is used again",
                    new Size(4, 8, 3),
                    s -> SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "cachedlist",
                    "the fast lazy list with a cache of four nodes is linearizable, also when memory is used again",
                    new Size(4, 8, 3),
                    s -> SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), true, CACHED_NODES)),
            new NamedScenario(
                    "lazylist-short",
                    "the lazy list is linearizable in short runs, of which more can be tried",
                    new Size(4, 3, 2),
                    s -> SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false)),
            new NamedScenario(
                    "fastlist-short",
                    "the fast lazy list is linearizable in short runs, of which more can be tried",
                    new Size(4, 3, 2),
                    s -> SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false)),
            new NamedScenario(
                    "widelist",
                    "the lazy list is linearizable with keys that are longer than a word",
                    new Size(4, 8, 3),
                    s -> SetScenario.wideLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "widefastlist",
                    "the fast lazy list is linearizable with keys that are longer than a word",
                    new Size(4, 8, 3),
                    s -> SetScenario.wideFastLazyList(s.threads(), s.operations(), s.keys(), true)),
            new NamedScenario(
                    "lazylist-loss",
                    "a thread that waits for a node of the lazy list gets it, or learns which node is lost",
                    new Size(4, 6, 3),
                    s -> new SetLossScenario(SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "fastlist-loss",
                    "a thread that waits for a node of the fast lazy list gets it, or learns which node is lost",
                    new Size(4, 6, 3),
                    s -> new SetLossScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "fastlist-alone",
                    "who is alone with the fast lazy list does not wait for itself when lanes break",
                    new Size(2, 12, 9),
                    s -> new LonelySetScenario(SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), false))),
            new NamedScenario(
                    "lazylist-half",
                    "a node of the lazy list that is half removed, as a lane broke, is in nobody's way",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.lazy(SetScenario.lazyList(s.threads(), s.operations(), s.keys(), true))),
            new NamedScenario(
                    "fastlist-half",
                    "a node of the fast lazy list that is half removed, as a lane broke, is in nobody's way",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.fast(
                            SetScenario.fastLazyList(s.threads(), s.operations(), s.keys(), true))),
            new NamedScenario(
                    "cachedlist-half",
                    "a node of the list with a cache that is half removed, as a lane broke, is in nobody's way",
                    new Size(4, 8, 3),
                    s -> HalfRemovedScenario.fast(
                            SetScenario.cachedLazyList(s.threads(), s.operations(), s.keys(), true, CACHED_NODES))),
            new NamedScenario(
                    "buffered",
                    "the buffered queue is linearizable; the keys are the items that have room",
                    new Size(4, 6, 2),
                    s -> BufferedQueueScenario.buffered(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "buffered-relaxed",
                    "the relaxed buffered queue is quiescently consistent; the keys are the items that have room",
                    new Size(4, 6, 2),
                    s -> BufferedQueueScenario.relaxed(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "buffered-edges",
                    "what the buffered queue does when it is empty or full, and when its consumer is lost",
                    new Size(4, 1, 2),
                    s -> RingEdgesScenario.buffered(s.keys())),
            new NamedScenario(
                    "buffered-relaxed-edges",
                    "what the relaxed buffered queue does when it is empty or full, and when its consumer is lost",
                    new Size(4, 1, 2),
                    s -> RingEdgesScenario.relaxed(s.keys())),
            new NamedScenario(
                    "nd",
                    "the lock-free queue is linearizable and keeps nobody waiting; the keys are each thread's items that"
                            + " have room",
                    new Size(4, 12, 2),
                    s -> PooledQueueScenario.lockFree(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "bd",
                    "the decentralised queue with locks is linearizable; the keys are the items of a thread that have room",
                    new Size(4, 8, 2),
                    s -> PooledQueueScenario.decentralizedLock(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "bc",
                    "the centralised queue with locks is linearizable; the keys are the items of a thread that have room",
                    new Size(4, 8, 2),
                    s -> PooledQueueScenario.centralizedLock(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "nd-loss",
                    "a loss or a broken lane keeps nobody from going on with the lock-free queue",
                    new Size(4, 12, 2),
                    s -> new QueueLossScenario(PooledQueueScenario.lockFree(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "nd-breaks",
                    "lanes that break, again and again, cost the lock-free queue no item and no cell",
                    new Size(4, 14, 1),
                    s -> new BrokenLanesScenario(PooledQueueScenario.lockFree(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "bd-loss",
                    "a thread that waits in the decentralised queue learns which node is lost",
                    new Size(4, 6, 2),
                    s -> new QueueLossScenario(
                            PooledQueueScenario.decentralizedLock(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "bc-loss",
                    "a thread that waits in the centralised queue learns which node is lost",
                    new Size(4, 6, 2),
                    s -> new QueueLossScenario(
                            PooledQueueScenario.centralizedLock(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "barrier",
                    "nobody leaves the control barrier before all have arrived; each operation is a round",
                    new Size(4, 4, 0),
                    s -> BarrierScenario.control(s.threads(), s.operations())),
            new NamedScenario(
                    "barrier-loss",
                    "all are told when somebody does not come to the control barrier, and nobody passes it any more",
                    new Size(4, 4, 0),
                    s -> new BarrierLossScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "barrier-break",
                    "who comes to the control barrier at the moment of a loss does not undo that it is broken",
                    new Size(4, 3, 0),
                    s -> new BarrierBreakScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "allocator",
                    "no block is handed out twice, and memory ends only when it is used up",
                    new Size(4, 10, 0),
                    s -> AllocatorScenario.shipped(s.threads(), s.operations())),
            new NamedScenario(
                    "sharing",
                    "no free block is lost in the lists that all threads share, or taken from them twice",
                    new Size(4, 10, 0),
                    s -> new SharingScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "handover",
                    "what was posted is there behind the barrier and the root, and of those who give back a block one may",
                    new Size(4, 4, 0),
                    s -> new HandoverScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "async",
                    "asynchronous operations complete once, and no wait for them ends early, late or twice",
                    new Size(4, 5, 0),
                    s -> AsyncScenario.shipped(s.threads(), s.operations())),
            new NamedScenario(
                    "reclamation",
                    "nobody reads what was given back, and what was deferred comes back",
                    new Size(4, 9, 0),
                    s -> ReclamationScenario.afterBarrier(s.threads(), s.operations())),
            new NamedScenario(
                    "lock",
                    "one at a time has the lock, in the order of tickets, and who gives up keeps nobody waiting",
                    new Size(4, 8, 0),
                    s -> LockScenario.remoteLock(s.threads(), s.operations(), LOCK_PATIENCE_NANOS)),
            new NamedScenario(
                    "lock-patience",
                    "who does not get a lock waits as long as he wants to, and keeps his place when he comes back",
                    new Size(4, 3, 0),
                    s -> new LockPatienceScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-loss",
                    "a thread that waits for a lock gets it, or learns which holder is lost",
                    new Size(4, 6, 0),
                    s -> new LockLossScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-fate",
                    "who is lost while it waits for a lock, comes late or has given up keeps nobody from getting it",
                    new Size(6, 2, 0),
                    s -> new LockFateScenario(s.threads(), s.operations())));

    /** The one of that name. */
    public static Optional<NamedScenario> find(String name) {
        return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst();
    }

    /** The names of all. */
    public static List<String> names() {
        return ALL.stream().map(NamedScenario::name).toList();
    }

    /** Whether a number of keys means something here. */
    public boolean hasKeys() {
        return usual.keys() > 0;
    }
}
