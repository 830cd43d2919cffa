// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.NodeLosses;
import dev.remus.structures.RemoteLongSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Threads change a list, each on a Compute Node of its own, and up to all nodes but one are lost meanwhile: killed with
 * late requests outstanding, or cut off as zombies. Another thread may be delayed. Each thread that is left must finish
 * its operations, whatever the lost ones have locked or left half done; in a third of the runs they end once a node is
 * lost, so that this is still there. Then one of them checks and counts the keys, with nodes that are removed and still
 * linked, and inserts and removes every key, which completes what is half done: the set must be empty and sound, and
 * must not have forgotten a block that was linked until then. Before, each thread may have kept one unused block, and
 * each lost one may have lost another, which it had just taken or unlinked. All results must be linearizable.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param set the operations, and the set; its threads do not meet here
 * @param wrap replaces the fabric by one that may have a mistake
 */
public record SetLossScenario(SetScenario set, UnaryOperator<Fabric> wrap) implements Scenario {
    private static final int LATEST_WAIT = 80;

    /** Where the link of a node is, behind a key of one word. */
    private static final int NEXT = 8;

    private static final long QUIET_NANOS = 8_000_000_000L;

    /** The scenario on the fabric as it is. */
    public SetLossScenario(SetScenario set) {
        this(set, fabric -> fabric);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int survivor = random.nextInt(set.threads());
        int first = (survivor + 1 + random.nextInt(set.threads() - 1)) % set.threads();
        List<Strike> strikes = new ArrayList<>();
        for (int thread = 0; thread < set.threads(); thread++) {
            int last = 1 + random.nextInt(LATEST_WAIT);
            if (thread == first || thread != survivor && random.nextInt(3) == 0) {
                NodeLosses.add(thread, last, strikes, random);
            } else if (random.nextInt(set.threads()) == 0) {
                strikes.add(new Strike(Fault.PAUSED_THREADS, thread, last));
            }
        }
        SimulatedCluster cluster = new SimulatedCluster(
                        SimulatedCluster.small(set.threads())
                                .computeNodes(2, 1 + set.threads())
                                .threadsPerNode(1)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .lossTimeout(NodeLosses.TIMEOUT)
                                .build(),
                        schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)))
                .over(wrap);
        cluster.simulator().quietAfter(QUIET_NANOS);
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        Set<Integer> ended = new TreeSet<>();
        boolean endsEarly = schedule.choices(-2).nextInt(3) == 0;
        long[] empty = {0};
        cluster.prepared(ct -> {
                    set.create(ct);
                    empty[0] = ct.id() == 0 ? SegmentUse.liveBytes(ct) : empty[0];
                })
                .run(ct -> {
                    RemoteLongSet handle = set.opener().apply(ct.root().get());
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 0; i < set.operations() && !(endsEarly && NodeLosses.number(cluster) > 0); i++) {
                        set.operate(handle, choices, recorder, ct);
                    }
                    ct.place(); // so that it has released what it had locked
                    ended.add(ct.id());
                    if (ct.id() == survivor) {
                        awaitOthers(ended, ct);
                        tidyUp(handle, recorder, ct);
                        long most = SegmentLayout.BLOCK * (set.threads() + NodeLosses.number(cluster));
                        NodeLosses.checkMemory(empty[0], most, cluster, ct);
                        ended.add(set.threads());
                    }
                });
        for (int thread = 0; thread <= set.threads(); thread++) {
            if (!ended.contains(thread) && !NodeLosses.isLost(thread, cluster)) {
                throw new AssertionError(
                        thread == set.threads()
                                ? "thread " + survivor + " cannot clear the set, after " + cluster.struck()
                                : "thread " + thread + " waits for ever, after " + cluster.struck());
            }
        }
        new LinearizabilityChecker<>(new SetSpecification<Long>()).judge(recorder.history());
    }

    /** Waits until each of the others has ended, or is known on this node to be lost: then its locks are free. */
    private void awaitOthers(Set<Integer> ended, ComputeThread ct) {
        for (int thread = 0; thread < set.threads(); thread++) {
            while (!ended.contains(thread) && !ct.peers().isLost(thread)) {
                ct.pause();
            }
        }
    }

    /**
     * Changes the set beside each node that may be half removed; then the set must be empty, and have forgotten no
     * block that was linked before.
     */
    private void tidyUp(RemoteLongSet handle, Recorder<SetOperation<Long>, Boolean> recorder, ComputeThread ct) {
        long unlinked = SegmentUse.liveBytes(ct) - linkedBytes(ct);
        long left = handle.checkedSize(ct);
        long inserted = 0;
        for (long key = 0; key < set.keys(); key++) {
            long k = key;
            inserted += recorder.record(ct.id(), SetOperation.insert(k), () -> handle.insert(k, ct)) ? 1 : 0;
        }
        if (left + inserted != set.keys()) {
            throw new AssertionError("a set has " + left + " keys after the losses, but " + inserted + " of "
                    + set.keys() + " are missing");
        }
        for (long key = 0; key < set.keys(); key++) {
            long k = key;
            recorder.record(ct.id(), SetOperation.remove(k), () -> handle.remove(k, ct));
        }
        long size = handle.checkedSize(ct);
        if (size != 0) {
            throw new AssertionError("all keys were removed, but the set has " + size);
        }
        long forgotten = SegmentUse.liveBytes(ct) - linkedBytes(ct) - unlinked;
        if (forgotten > 0) {
            throw new AssertionError("of the blocks that were linked after the losses, " + forgotten
                    + " bytes were removed and forgotten");
        }
    }

    /** The bytes of all nodes of a list, with those that are removed and not yet unlinked. */
    private static long linkedBytes(ComputeThread ct) {
        long bytes = 0;
        for (long node = ct.read(ct.root().get().raw()); node != RdmaPtr.NULL; ) {
            bytes += SegmentLayout.BLOCK;
            node = RdmaPtr.unmarked(ct.read(node + NEXT));
        }
        return bytes;
    }
}
