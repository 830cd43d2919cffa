// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.scenarios;

import dev.remus.structures.spec.BrokenLanesScenario;
import dev.remus.structures.spec.BufferedLossScenario;
import dev.remus.structures.spec.BufferedQueueScenario;
import dev.remus.structures.spec.HalfReplacedScenario;
import dev.remus.structures.spec.LockQueueLossScenario;
import dev.remus.structures.spec.OvertakenBatchesScenario;
import dev.remus.structures.spec.PooledQueueScenario;
import dev.remus.structures.spec.QueueLossScenario;
import dev.remus.structures.spec.RingEdgesScenario;
import dev.remus.structures.spec.ScalableEdgesScenario;
import dev.remus.structures.spec.SlowThreadsScenario;
import dev.remus.structures.spec.StuckLaneScenario;
import dev.remus.structures.spec.VainWaitScenario;
import java.util.List;

/** The scenarios of the queues. */
final class QueueScenarios {
    /** The queue of the paper, as it was published. */
    static final List<NamedScenario> FLAWED = List.of(new NamedScenario(
            "nd-published",
            "fails: the published queue loses and repeats items, and never ends; keys are elements of each thread",
            new Size(4, 8, 3),
            s -> PooledQueueScenario.published(s.threads(), s.operations(), s.keys())));

    /** All the others. */
    static final List<NamedScenario> ALL = List.of(
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
                    "buffered-claims",
                    "the buffered queue is linearizable while attempts give positions up; keys are its capacity",
                    new Size(4, 6, 1),
                    s -> BufferedQueueScenario.buffered(s.threads(), s.operations(), s.keys())
                            .continuing()),
            new NamedScenario(
                    "buffered-relaxed-claims",
                    "the relaxed buffered queue is quiescently consistent after that; keys are its capacity",
                    new Size(4, 6, 1),
                    s -> BufferedQueueScenario.relaxed(s.threads(), s.operations(), s.keys())
                            .continuing()),
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
                    "buffered-relaxed-batches",
                    "batches in the relaxed buffered queue end, however often others overtake them",
                    new Size(6, 1, 3),
                    s -> OvertakenBatchesScenario.relaxed()),
            new NamedScenario(
                    "buffered-loss",
                    "the buffered queue goes on after the loss of producers and of its consumer; keys are its capacity",
                    new Size(6, 4, 2),
                    s -> new BufferedLossScenario(BufferedQueueScenario.mixed(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "buffered-relaxed-loss",
                    "the relaxed buffered queue goes on after such losses; keys are its capacity",
                    new Size(6, 4, 2),
                    s -> new BufferedLossScenario(
                            BufferedQueueScenario.relaxed(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "buffered-stuck",
                    "the buffered queue goes on if a producer's lane cannot be connected; keys are its capacity",
                    new Size(4, 4, 1),
                    s -> new StuckLaneScenario(BufferedQueueScenario.buffered(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "buffered-relaxed-stuck",
                    "the relaxed buffered queue goes on after that; keys are its capacity",
                    new Size(4, 4, 1),
                    s -> new StuckLaneScenario(BufferedQueueScenario.relaxed(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "fence-never",
                    "each wait for a lost thread ends with its name if a Memory Node never cuts it off; keys are a capacity",
                    new Size(4, 1, 2),
                    s -> new VainWaitScenario(BufferedQueueScenario.buffered(4, 1, s.keys()))),
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
                    "scalable-away",
                    "the scalable queue loses no item when a thread comes back to a cell after several turns",
                    new Size(4, 24, 1),
                    s -> new SlowThreadsScenario(
                            PooledQueueScenario.scalableLate(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "scalable-edges",
                    "the scalable queue takes few round trips, and waiting threads keep their place; keys are its capacity",
                    new Size(4, 1, 3),
                    s -> new ScalableEdgesScenario(s.keys())),
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
                    "sharded",
                    "each shard of the sharded queue is linearizable, EMPTY and FULL included; keys are its capacity",
                    new Size(4, 8, 2),
                    s -> PooledQueueScenario.sharded(s.threads(), s.operations(), s.keys())),
            new NamedScenario(
                    "sharded-loss",
                    "a lost thread or a broken lane blocks no other thread of the sharded queue",
                    new Size(4, 8, 2),
                    s -> new QueueLossScenario(PooledQueueScenario.sharded(s.threads(), s.operations(), s.keys()))),
            new NamedScenario(
                    "sharded-breaks",
                    "repeatedly broken lanes leave each shard linearizable, and no thread waiting",
                    new Size(4, 8, 1),
                    s -> new BrokenLanesScenario(PooledQueueScenario.sharded(s.threads(), s.operations(), s.keys()))),
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
                            PooledQueueScenario.centralizedLock(s.threads(), s.operations(), s.keys()))));

    private QueueScenarios() {}
}
