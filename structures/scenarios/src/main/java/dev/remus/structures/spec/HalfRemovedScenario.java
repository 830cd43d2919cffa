// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteLongSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * A thread removes a key, and its lane breaks, or it is lost, while it waits for the unlinking: the node may be marked
 * and still linked. The set is checked as it is then, by the first thread or, if that is lost, by another one. Then all
 * threads that are left use it, and must finish their operations with linearizable results. At the end all keys are
 * removed, which completes the remove: the set is empty, and no block was freed twice ({@code --check-memory}).
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param set the operations, and the set
 * @param unlinking which of its waits is that for the unlinking, in a remove that is the first operation of a handle: a
 *     function of the number of nodes that it passes, including that of its key, all on one Memory Node
 */
public record HalfRemovedScenario(SetScenario set, IntUnaryOperator unlinking) implements Scenario {
    private static final int BETWEEN_BARRIERS = 4;

    /**
     * The scenario with a {@link dev.remus.structures.LazyListSet}, which waits for the two releases after the
     * unlinking.
     */
    public static HalfRemovedScenario lazy(SetScenario set) {
        return new HalfRemovedScenario(set, visited -> 9 + 2 * visited);
    }

    /**
     * The scenario with a {@link dev.remus.structures.FastLazyListSet}, with a cache or without, which waits for
     * nothing after it.
     */
    public static HalfRemovedScenario fast(SetScenario set) {
        return new HalfRemovedScenario(set, visited -> 4 + visited);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        long removed = random.nextInt(set.keys());
        int wait = unlinking.applyAsInt((int) removed + 1);
        boolean isLost = random.nextInt(3) == 0;
        Fault fault = isLost ? Fault.LOST_COMPUTE_NODES : Fault.BROKEN_LANES;
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(set.threads())
                        .memoryNodes(0, 0)
                        .computeNodes(1, set.threads())
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(new Strike(fault, 0, wait)));
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        RemoteLongSet[] handles = new RemoteLongSet[set.threads()];
        Set<Integer> ended = new TreeSet<>();
        cluster.prepared(ct -> {
                    set.create(ct);
                    if (ct.id() == 0) {
                        set.fill(set.opener().apply(ct.root().get()), recorder, ct);
                    }
                    ct.barrier();
                    handles[ct.id()] = set.opener()
                            .apply(ct.root().get()); // here, so that the body's waits are those of the remove
                })
                .run(ct -> {
                    RemoteLongSet handle = handles[ct.id()];
                    if (ct.id() == 0) {
                        removeHalf(removed, handle, recorder, ct);
                    }
                    if (ct.id() == 0 && !isLost) {
                        checkWhatIsLeft(handle, ct);
                    }
                    if (isLost) {
                        useWhatIsLeft(handle, ended, schedule.choices(ct.id()), recorder, ct);
                        return;
                    }
                    ct.barrier();
                    useSet(handle, schedule.choices(ct.id()), recorder, ct);
                    ct.barrier();
                    if (ct.id() == 0) {
                        tidyUp(handle, ct);
                    }
                    ended.add(ct.id());
                });
        for (int thread = isLost ? 1 : 0; thread < set.threads(); thread++) {
            if (!ended.contains(thread)) {
                throw new AssertionError("thread " + thread + " does not end: a half-removed node, that of key "
                        + removed + ", is in the way");
            }
        }
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
    }

    private static void removeHalf(
            long key, RemoteLongSet handle, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        try {
            recorder.record(ct.id(), SetOperation.remove(key), () -> handle.remove(key, ct));
        } catch (FabricException e) {
            return;
        }
        throw new AssertionError("the lane of a remove should have broken at its unlinking, but the remove returned");
    }

    /** After the loss of the first thread, the second one checks what it has left, and at the end clears the set. */
    private void useWhatIsLeft(
            RemoteLongSet handle,
            Set<Integer> ended,
            SplittableRandom choices,
            Recorder<SetOperation<Long>, Boolean> recorder,
            ComputeThread ct) {
        while (!ct.peers().isLost(0)) {
            ct.pause();
        }
        if (ct.id() == 1) {
            checkWhatIsLeft(handle, ct);
            ended.add(0); // it may be used now
        }
        while (!ended.contains(0)) {
            ct.pause();
        }
        for (int i = 1; i <= set.operations(); i++) {
            set.operate(handle, choices, recorder, ct);
        }
        ct.place(); // so that it has released what it had locked
        ended.add(ct.id());
        if (ct.id() == 1) {
            while (ended.size() < set.threads()) {
                ct.pause();
            }
            tidyUp(handle, ct);
        }
    }

    private void checkWhatIsLeft(RemoteLongSet handle, ComputeThread ct) {
        long size = handle.checkedSize(ct);
        if (size != set.keys() && size != set.keys() - 1) {
            throw new AssertionError("of " + set.keys() + " keys, one may be removed, but the set has " + size);
        }
    }

    private void useSet(
            RemoteLongSet handle,
            SplittableRandom choices,
            Recorder<SetOperation<Long>, Boolean> recorder,
            ComputeThread ct) {
        for (int i = 1; i <= set.operations(); i++) {
            set.operate(handle, choices, recorder, ct);
            if (set.reuse() == Reuse.AFTER_BARRIERS && i % BETWEEN_BARRIERS == 0) {
                ct.barrier();
                ct.reclaimDeferred();
            }
        }
    }

    /**
     * Changes the set beside each possible half-removed node, which completes the removes; then the set must be empty.
     */
    private void tidyUp(RemoteLongSet handle, ComputeThread ct) {
        for (long key = 0; key < set.keys(); key++) {
            handle.insert(key, ct);
        }
        for (long key = 0; key < set.keys(); key++) {
            handle.remove(key, ct);
        }
        if (handle.checkedSize(ct) != 0) {
            throw new AssertionError("all keys were removed, but the set is not empty");
        }
        ct.reclaimDeferred();
        handle.destroy(ct);
    }
}
