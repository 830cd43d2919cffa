// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.scenarios;

import dev.remus.simulation.scenario.AllocationEdgesScenario;
import dev.remus.simulation.scenario.AllocatorScenario;
import dev.remus.simulation.scenario.ArenaScenario;
import dev.remus.simulation.scenario.AsyncScenario;
import dev.remus.simulation.scenario.BarrierBreakScenario;
import dev.remus.simulation.scenario.BarrierLossScenario;
import dev.remus.simulation.scenario.BarrierMisuseScenario;
import dev.remus.simulation.scenario.BarrierScenario;
import dev.remus.simulation.scenario.CacheScenario;
import dev.remus.simulation.scenario.ComeBackScenario;
import dev.remus.simulation.scenario.CompletionScenario;
import dev.remus.simulation.scenario.DeadMemoryScenario;
import dev.remus.simulation.scenario.EpochScenario;
import dev.remus.simulation.scenario.FenceScenario;
import dev.remus.simulation.scenario.FullMemoryScenario;
import dev.remus.simulation.scenario.GarbageScenario;
import dev.remus.simulation.scenario.HandoverScenario;
import dev.remus.simulation.scenario.LaneRecoveryScenario;
import dev.remus.simulation.scenario.LockBreaksScenario;
import dev.remus.simulation.scenario.LockFateScenario;
import dev.remus.simulation.scenario.LockHeirsScenario;
import dev.remus.simulation.scenario.LockInterruptsScenario;
import dev.remus.simulation.scenario.LockLineScenario;
import dev.remus.simulation.scenario.LockLossScenario;
import dev.remus.simulation.scenario.LockMovesScenario;
import dev.remus.simulation.scenario.LockPatienceScenario;
import dev.remus.simulation.scenario.LockRecoveryScenario;
import dev.remus.simulation.scenario.LockScenario;
import dev.remus.simulation.scenario.NamedRootsScenario;
import dev.remus.simulation.scenario.OfflineScenario;
import dev.remus.simulation.scenario.PlacementScenario;
import dev.remus.simulation.scenario.QueueLockPatienceScenario;
import dev.remus.simulation.scenario.QueueLockViewsScenario;
import dev.remus.simulation.scenario.ReadWriteLockScenario;
import dev.remus.simulation.scenario.ReadWriteLockScenario.Trouble;
import dev.remus.simulation.scenario.ReclamationScenario;
import dev.remus.simulation.scenario.ReleasesScenario;
import dev.remus.simulation.scenario.ReopenScenario;
import dev.remus.simulation.scenario.ReserveScenario;
import dev.remus.simulation.scenario.RestartScenario;
import dev.remus.simulation.scenario.ReturnScenario;
import dev.remus.simulation.scenario.SequenceScenario;
import dev.remus.simulation.scenario.SharingScenario;
import dev.remus.simulation.scenario.SlowReturnScenario;
import dev.remus.simulation.scenario.StampScenario;
import dev.remus.simulation.scenario.TimeLimitScenario;
import dev.remus.simulation.scenario.UnevenScenario;
import dev.remus.simulation.scenario.VersionedScenario;
import dev.remus.simulation.scenario.VirtualThreadsScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.SetScenario;
import java.util.List;

/** The scenarios of what the framework itself offers. */
final class FrameworkScenarios {
    /** A limit close to the usual wait for a lock, so that some threads get it in time. */
    private static final long LOCK_TIMEOUT_NANOS = 20_000;

    /** All of them. */
    static final List<NamedScenario> ALL = List.of(
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
                    "barrier-misuse",
                    "a control barrier that is used wrongly fails, then for all threads, and none waits for ever",
                    new Size(4, 3, 0),
                    s -> new BarrierMisuseScenario(s.threads(), s.operations())),
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
                    "sharing-uneven",
                    "memory does not fill up while some threads allocate, others free, and few blocks are in use",
                    new Size(4, 10, 0),
                    s -> new UnevenScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "arenas",
                    "threads that end leave the unused part of their memory to the others; no byte is lost",
                    new Size(4, 14, 0),
                    s -> new ArenaScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "allocator-edges",
                    "large, left and shared blocks, and the rest of full segments, are found again; no byte is lost",
                    new Size(2, 8, 0),
                    s -> new AllocationEdgesScenario(s.threads(), s.operations())),
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
                    "virtual",
                    "virtual threads that share a doorbell lose no request: async to lanes, a list, a queue",
                    new Size(4, 8, 3),
                    s -> VirtualThreadsScenario.of(
                            AsyncScenario.shipped(s.threads(), s.operations()),
                            new CompletionScenario(s.threads(), s.operations()),
                            new SequenceScenario(s.threads(), s.operations()),
                            new LaneRecoveryScenario(s.threads(), s.operations()),
                            SetScenario.lazyList(s.threads(), s.operations(), s.keys(), false),
                            PooledQueueScenario.scalable(s.threads(), s.operations(), s.keys()))),
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
                    "epochs-reserve",
                    "a thread begins each operation with its blocks in full memory, and waits inside if it needs more",
                    new Size(4, 8, 0),
                    s -> new ReserveScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "epochs-offline",
                    "what a thread has retired returns while it is offline or at a barrier; operations are the blocks",
                    new Size(4, 6, 0),
                    s -> new OfflineScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "epochs-back",
                    "no block is reused under a thread that comes back from work offline, even over a broken lane",
                    new Size(2, 4, 0),
                    s -> new ComeBackScenario(s.threads(), s.operations())),
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
                    "lock-interrupts",
                    "interrupted threads leave no lock taken, and nobody inside beside another",
                    new Size(4, 6, 0),
                    s -> LockInterruptsScenario.remoteLock(s.threads(), s.operations())),
            new NamedScenario(
                    "releases",
                    "locks that are released together are free, even if lanes break and the thread only pauses",
                    new Size(4, 2, 10),
                    s -> new ReleasesScenario(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "releases-stuck",
                    "locks are released, and cleanups done, even if the lane cannot be connected for a while",
                    new Size(4, 2, 4),
                    s -> ReleasesScenario.stuck(s.threads(), s.operations(), s.keys())),
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
                    "fence-slow",
                    "lost nodes are taken over from only when the slowest Memory Node has cut them off, or none is told",
                    new Size(4, 5, 0),
                    s -> FenceScenario.slow(s.threads(), s.operations())),
            new NamedScenario(
                    "fence-dead",
                    "a lost node is cut off by the other Memory Nodes if one has died, and all see that",
                    new Size(4, 4, 0),
                    s -> new DeadMemoryScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "placing",
                    "what is placed is there, also after an interrupt; a dead Memory Node fails what was posted to it",
                    new Size(4, 6, 0),
                    s -> new PlacementScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "return",
                    "a lost node comes back, with nothing of its earlier life, and meets the others at barriers",
                    new Size(4, 3, 0),
                    s -> new ReturnScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "return-again",
                    "a node comes back that dies while it joins, or joins so late that the others have given it up",
                    new Size(4, 3, 0),
                    s -> ReturnScenario.again(s.threads(), s.operations())),
            new NamedScenario(
                    "return-slow",
                    "a node comes back, or goes on as a zombie, while Memory Nodes stand still; operations are its lives",
                    new Size(4, 3, 0),
                    s -> new SlowReturnScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "return-half",
                    "a node comes back after lives that only one Memory Node has let in; operations are its lives",
                    new Size(4, 4, 0),
                    s -> SlowReturnScenario.half(s.threads(), s.operations())),
            new NamedScenario(
                    "restart",
                    "a node that dies and starts again before a Memory Node has looked is cut off when it is lost",
                    new Size(4, 4, 0),
                    s -> new RestartScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "reopen",
                    "threads that are closed and opened again meet the others at barriers, and hold no block up",
                    new Size(4, 5, 0),
                    s -> new ReopenScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-loss",
                    "a waiter for a lock gets it, even if the holder is lost",
                    new Size(4, 6, 0),
                    s -> new LockLossScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-loss-interrupts",
                    "a waiter for a lock gets it, even if those that take the turn of a lost holder are interrupted",
                    new Size(4, 6, 0),
                    s -> LockLossScenario.interrupted(s.threads(), s.operations())),
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
                    s -> new LockFateScenario(s.threads(), s.operations(), LockFateScenario.Fate.LATE)),
            new NamedScenario(
                    "lock-heirs",
                    "a lock goes on in ticket order while one holder after the other is lost as it releases it",
                    new Size(6, 2, 0),
                    s -> LockHeirsScenario.remoteLock(s.threads(), s.operations())),
            new NamedScenario(
                    "lock-full",
                    "a holder or a waiter is lost in front of a line in which all places are taken",
                    new Size(6, 2, 0),
                    s -> LockLineScenario.remoteLock(s.threads(), s.operations(), LockLineScenario.Kind.FULL)),
            new NamedScenario(
                    "lock-slow",
                    "a holder that learns late whether it has released a lock passes it on once",
                    new Size(6, 2, 0),
                    s -> LockLineScenario.remoteLock(s.threads(), s.operations(), LockLineScenario.Kind.SLOW)),
            new NamedScenario(
                    "lock-moves",
                    "views move between locks that begin again in the same blocks; lanes or waits break",
                    new Size(4, 4, 0),
                    s -> LockMovesScenario.remoteLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock",
                    "one thread holds the queue lock at a time, in ticket order; tickets given up are passed by",
                    new Size(4, 8, 0),
                    s -> LockScenario.queueLock(s.threads(), s.operations(), LOCK_TIMEOUT_NANOS)),
            new NamedScenario(
                    "queuelock-breaks",
                    "repeatedly broken lanes leave no queue lock taken",
                    new Size(4, 6, 0),
                    s -> LockBreaksScenario.queueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-interrupts",
                    "interrupted threads leave no queue lock taken",
                    new Size(4, 6, 0),
                    s -> LockInterruptsScenario.queueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-loss",
                    "a waiter for a queue lock gets it, even if the holder is lost",
                    new Size(4, 6, 0),
                    s -> LockLossScenario.queueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-recovery",
                    "after the death of its holders a queue lock goes to the next in line, who learns of it",
                    new Size(4, 6, 0),
                    s -> LockRecoveryScenario.queueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-heirs",
                    "a queue lock goes on in ticket order while one holder after the other is lost as it releases it",
                    new Size(6, 2, 0),
                    s -> LockHeirsScenario.queueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-near",
                    "one thread holds the queue lock at a time if each waiter is woken by a word in its own memory",
                    new Size(4, 8, 0),
                    s -> LockScenario.nearQueueLock(s.threads(), s.operations(), LOCK_TIMEOUT_NANOS)),
            new NamedScenario(
                    "queuelock-near-breaks",
                    "repeatedly broken lanes leave no queue lock taken if its waiters are woken",
                    new Size(4, 6, 0),
                    s -> LockBreaksScenario.nearQueueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-near-loss",
                    "a waiter that is woken gets a queue lock, even if the holder is lost",
                    new Size(4, 6, 0),
                    s -> LockLossScenario.nearQueueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-near-recovery",
                    "after the death of its holders a woken waiter gets a queue lock, and learns of it",
                    new Size(4, 6, 0),
                    s -> LockRecoveryScenario.nearQueueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-views",
                    "a thread that uses two queue locks through one view keeps its place, and has one word for each",
                    new Size(4, 5, 0),
                    s -> new QueueLockViewsScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-moves",
                    "views move between queue locks that begin again in the same blocks; lanes or waits break",
                    new Size(4, 4, 0),
                    s -> LockMovesScenario.nearQueueLock(s.threads(), s.operations())),
            new NamedScenario(
                    "queuelock-patience",
                    "a thread gives up in time behind a ticket that is never claimed; a slow thread keeps its ticket",
                    new Size(4, 3, 0),
                    s -> new QueueLockPatienceScenario(s.threads(), s.operations())),
            new NamedScenario(
                    "cohortlock",
                    "one thread holds the cohort lock at a time, also if it comes from a thread of the same node",
                    new Size(4, 5, 0),
                    s -> LockScenario.cohortLock(s.threads(), s.operations(), LOCK_TIMEOUT_NANOS)),
            new NamedScenario(
                    "cohortlock-breaks",
                    "repeatedly broken lanes leave no cohort lock taken",
                    new Size(4, 6, 0),
                    s -> LockBreaksScenario.cohortLock(s.threads(), s.operations())),
            new NamedScenario(
                    "cohortlock-interrupts",
                    "interrupted threads leave no cohort lock taken",
                    new Size(4, 6, 0),
                    s -> LockInterruptsScenario.cohortLock(s.threads(), s.operations())),
            new NamedScenario(
                    "cohortlock-loss",
                    "a waiter for a cohort lock gets it, even if the node that holds it is lost",
                    new Size(4, 6, 0),
                    s -> LockLossScenario.cohortLock(s.threads(), s.operations())),
            new NamedScenario(
                    "cohortlock-moves",
                    "views move between cohort locks that begin again in the same blocks; threads are interrupted",
                    new Size(4, 4, 0),
                    s -> LockMovesScenario.cohortLock(s.threads(), s.operations())),
            new NamedScenario(
                    "cohortlock-patience",
                    "a wait for a cohort lock ends at its limit, and threads of a node get the lock in their order",
                    new Size(6, 3, 0),
                    s -> new TimeLimitScenario(s.threads(), s.operations(), TimeLimitScenario.Kind.COHORT_LOCK)),
            new NamedScenario(
                    "rwlock",
                    "a writer is alone inside, and readers and writers see what the last writer has posted",
                    new Size(4, 6, 0),
                    s -> new ReadWriteLockScenario(s.threads(), s.operations(), Trouble.NONE)),
            new NamedScenario(
                    "rwlock-breaks",
                    "repeatedly broken lanes leave no reader or writer inside, and lose nothing without a report",
                    new Size(4, 6, 0),
                    s -> new ReadWriteLockScenario(s.threads(), s.operations(), Trouble.BREAKS)),
            new NamedScenario(
                    "rwlock-interrupts",
                    "interrupted threads leave no reader or writer inside",
                    new Size(4, 6, 0),
                    s -> LockInterruptsScenario.readWriteLock(s.threads(), s.operations())),
            new NamedScenario(
                    "rwlock-patience",
                    "a wait of a reader or writer ends at its limit, and a free lock is acquired without a wait",
                    new Size(4, 3, 0),
                    s -> new TimeLimitScenario(s.threads(), s.operations(), TimeLimitScenario.Kind.READ_WRITE_LOCK)),
            new NamedScenario(
                    "rwlock-loss",
                    "lost readers and writers leave the lock to the others, who learn of the death of a writer",
                    new Size(4, 6, 0),
                    s -> new ReadWriteLockScenario(s.threads(), s.operations(), Trouble.LOSS)));

    private FrameworkScenarios() {}
}
