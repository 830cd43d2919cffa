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
import dev.remus.structures.IntSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * A thread removes a key, and the lane breaks while it waits for the unlinking: the node may be marked and still linked.
 * Then all threads use the set, and must finish their operations, with linearizable answers. In the end whoever comes by has
 * tidied up: nothing that was removed is linked any more, and no block was given back twice ({@code --check-memory}).
 *
 * <p>Which faults happen is this scenario's own business; those of the schedule are left out.
 *
 * @param set what is done, and with which set
 * @param unlinking for which time a remove that is the first operation of a handle waits when it waits for the unlinking, if
 *     it goes past so many nodes, up to and including that of its key, and all are on one Memory Node
 */
public record HalfRemovedScenario(SetScenario set, IntUnaryOperator unlinking) implements Scenario {
    private static final int BETWEEN_BARRIERS = 4;

    /** With a {@link dev.remus.structures.LazyListSet}: what comes behind the unlinking are the two releases. */
    public static HalfRemovedScenario lazy(SetScenario set) {
        return new HalfRemovedScenario(set, visited -> 9 + 2 * visited);
    }

    /** With a {@link dev.remus.structures.FastLazyListSet}, with a cache or without: nothing is waited for behind it. */
    public static HalfRemovedScenario fast(SetScenario set) {
        return new HalfRemovedScenario(set, visited -> 4 + visited);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        long removed = random.nextInt(set.keys());
        int wait = unlinking.applyAsInt((int) removed + 1);
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(set.threads())
                        .memoryNodes(0, 0)
                        .computeNodes(1, set.threads())
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(new Strike(Fault.BROKEN_LANES, 0, wait)));
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        IntSet[] handles = new IntSet[set.threads()];
        Set<Integer> ended = new TreeSet<>();
        cluster.prepared(ct -> {
                    set.createSet(ct);
                    if (ct.id() == 0) {
                        set.fill(set.opener().apply(ct.root().get()), recorder, ct);
                    }
                    ct.barrier();
                    handles[ct.id()] =
                            set.opener().apply(ct.root().get()); // now: the body's waits are those of the remove
                })
                .run(ct -> {
                    IntSet handle = handles[ct.id()];
                    if (ct.id() == 0) {
                        removeHalf(removed, handle, recorder, ct);
                    }
                    ct.barrier();
                    useSet(handle, schedule.choices(ct.id()), recorder, ct);
                    ct.barrier();
                    if (ct.id() == 0) {
                        tidyUp(handle, ct);
                    }
                    ended.add(ct.id());
                });
        for (int thread = 0; thread < set.threads(); thread++) {
            if (!ended.contains(thread)) {
                throw new AssertionError(
                        "thread " + thread + " comes to no end: a node of which half is removed, that of" + " key "
                                + removed + ", is in the way");
            }
        }
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
    }

    private static void removeHalf(
            long key, IntSet handle, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        try {
            recorder.record(ct.id(), SetOperation.remove(key), () -> handle.remove(key, ct));
        } catch (FabricException e) {
            return;
        }
        throw new AssertionError("the lane of a remove was to break at its unlinking, and the remove went well");
    }

    private void useSet(
            IntSet handle, SplittableRandom choices, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        for (int i = 1; i <= set.operations(); i++) {
            set.operate(handle, choices, recorder, ct);
            if (set.reclaim() && i % BETWEEN_BARRIERS == 0) {
                ct.barrier();
                ct.reclaimDeferred();
            }
        }
    }

    /** Who changes the set beside what is left of a node removes the rest; then nothing is found that should not be there. */
    private void tidyUp(IntSet handle, ComputeThread ct) {
        for (long key = 0; key < set.keys(); key++) {
            handle.insert(key, ct);
        }
        for (long key = 0; key < set.keys(); key++) {
            handle.remove(key, ct);
        }
        if (handle.checkedSize(ct) != 0) {
            throw new AssertionError("a set of which all keys were removed is not empty");
        }
        ct.reclaimDeferred();
        handle.destroy(ct);
    }
}
