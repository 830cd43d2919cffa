// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.simulation.scenario.NodeLosses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads use an ordered map, each on a Compute Node of its own. Some nodes are lost, perhaps while requests of theirs
 * are late: killed, or cut off as zombies. Lanes of others break; a change of a node or a split may be left at any
 * step. An operation whose lane breaks may have taken effect or not, and its thread continues. All threads that are
 * left must finish all of their operations, and the results must be linearizable. At the end, one thread sets all keys,
 * removes them, and checks the map, which must be empty then. In half of the runs it reads the map before, as the lost
 * threads have left it. Then the map is destroyed, and no more memory may be missing than what handles keep in reserve,
 * and what one change takes for each loss and each break.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param map the operations, and the map; its threads do not meet here
 */
public record TreeLossScenario(TreeScenario map) implements Scenario {
    private static final int LATEST_WAIT = 60;
    private static final long QUIET_NANOS = 8_000_000_000L;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int survivor = random.nextInt(map.threads());
        int remembered = TreeScenario.remembered(random);
        SimulatedCluster cluster = new SimulatedCluster(
                map.reuse()
                        .in(SimulatedCluster.small(map.threads())
                                .computeNodes(2, 1 + map.threads())
                                .threadsPerNode(1)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .lossTimeout(NodeLosses.TIMEOUT)
                                .build()),
                schedule.withFaults(Set.of()).withStrikes(strikes(survivor, random)));
        boolean readsFirst = random.nextBoolean();
        cluster.simulator().quietAfter(QUIET_NANOS);
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        Set<Integer> ended = new TreeSet<>();
        TreeHandle[] handles = new TreeHandle[map.threads()];
        long[] empty = {0};
        cluster.prepared(ct -> {
                    empty[0] = ct.id() == 0 ? SegmentUse.liveBytes(ct) : empty[0];
                    map.createMap(recorder, ct);
                    ct.barrier();
                    handles[ct.id()] = map.opener().open(ct.root().get(), remembered, ct);
                })
                .run(ct -> {
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 1; i <= map.operations(); i++) {
                        int operation = i;
                        unlessBroken(() -> map.operate(handles[ct.id()], operation, choices, recorder, ct));
                        unlessBroken(() -> map.reuse().after(operation, ct));
                    }
                    while (!unlessBroken(ct::place)) { // so that it has released what it had locked
                        ct.pause();
                    }
                    ended.add(ct.id());
                    if (ct.id() == survivor) {
                        for (int thread = 0; thread < map.threads(); thread++) {
                            while (!isThrough(thread, ended, cluster)
                                    && !ct.peers().isLost(thread)) {
                                ct.pause(); // until it has ended or is cut off: a node that it has locked is then free
                            }
                        }
                        tidyUp(readsFirst, handles[survivor], recorder, ct);
                        checkMemory(handles[survivor], empty[0], cluster, ct);
                        ended.add(map.threads());
                    }
                });
        for (int thread = 0; thread <= map.threads(); thread++) {
            if (!ended.contains(thread) && !NodeLosses.isLost(thread, cluster)) {
                throw new AssertionError(
                        thread == map.threads()
                                ? "thread " + survivor + " cannot clear the map, after " + cluster.struck()
                                : "thread " + thread + " waits for ever, after " + cluster.struck());
            }
        }
        TreeScenario.judge(recorder);
    }

    /** Whether a thread has ended, and has released what it had locked: one that has lost a link cannot do that. */
    private static boolean isThrough(int thread, Set<Integer> ended, SimulatedCluster cluster) {
        return ended.contains(thread) && !NodeLosses.isZombie(thread, cluster);
    }

    private Strike[] strikes(int survivor, SplittableRandom random) {
        int first = (survivor + 1 + random.nextInt(map.threads() - 1)) % map.threads();
        List<Strike> strikes = new ArrayList<>();
        for (int thread = 0; thread < map.threads(); thread++) {
            int last = 1 + random.nextInt(LATEST_WAIT);
            if (thread == first || thread != survivor && random.nextInt(3) == 0) {
                if (random.nextBoolean()) { // in the middle of a transfer
                    strikes.add(new Strike(Fault.LATE_REQUESTS, thread, last));
                }
                NodeLosses.add(thread, last, strikes, random);
            } else if (random.nextInt(2) == 0) {
                strikes.add(new Strike(Fault.BROKEN_LANES, thread, last));
            }
        }
        return strikes.toArray(Strike[]::new);
    }

    /** Does something; returns false if a lane broke meanwhile. */
    private static boolean unlessBroken(Runnable action) {
        try {
            action.run();
            return true;
        } catch (FabricException e) {
            return false;
        }
    }

    /** Changes every leaf, so that all that is half changed is met, also by reads; then the map must be empty. */
    private void tidyUp(
            boolean readsFirst,
            TreeHandle handle,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        while (readsFirst && !unlessBroken(() -> map.scanSnapshot(handle, recorder, ct))) {
            ct.pause();
        }
        for (long key = 0; key < map.keys(); key++) {
            untilDone(MapOperation.put(key, -1L), handle, recorder, ct);
        }
        for (long key = 0; key < map.keys(); key++) {
            untilDone(MapOperation.remove(key), handle, recorder, ct);
        }
        long[] size = {-1};
        while (!unlessBroken(() -> size[0] = handle.checkedSize(ct))) {
            ct.pause();
        }
        if (size[0] != 0) {
            throw new AssertionError("all keys were removed, but the map has " + size[0]);
        }
    }

    /** Each handle may have blocks for a change in reserve, and each loss and each break may lose those of another. */
    private void checkMemory(TreeHandle handle, long before, SimulatedCluster cluster, ComputeThread ct) {
        if (unlessBroken(() -> handle.destroy(ct))) {
            long most = map.bytesOfAChange()
                    * (map.threads() - 1 + NodeLosses.number(cluster) + NodeLosses.breaks(cluster));
            unlessBroken(() -> NodeLosses.checkMemory(before, most, cluster, ct));
        }
    }

    private static void untilDone(
            MapOperation<Long, Long> operation,
            TreeHandle handle,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        while (!unlessBroken(() -> TreeScenario.execute(operation, handle, recorder, ct))) {
            ct.pause();
        }
    }
}
