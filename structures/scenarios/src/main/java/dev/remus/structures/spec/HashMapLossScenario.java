// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.memory.SegmentLayout;
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
 * Threads use a hash map, each on a Compute Node of its own. One node is lost, killed with late requests outstanding or
 * cut off as a zombie, and lanes of others break; a split may be left at any step. An operation whose lane breaks may
 * have taken effect or not, and its thread continues. All threads that are left must finish all of their operations,
 * without waiting for the lost one, and the results must be linearizable. At last one of them destroys the map, and no
 * more memory may be missing than what handles keep in reserve, and what one change takes for each loss and each break.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param map the operations, and the map; its threads do not meet here
 */
public record HashMapLossScenario(HashMapScenario map) implements Scenario {
    private static final int MAX_BREAKS = 4;
    private static final int LATEST_WAIT = 60;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int lost = random.nextInt(map.threads());
        List<Strike> strikes = new ArrayList<>();
        NodeLosses.add(lost, 1 + random.nextInt(LATEST_WAIT), strikes, random);
        for (int breaks = random.nextInt(MAX_BREAKS); breaks > 0; breaks--) {
            int thread = random.nextInt(map.threads());
            strikes.add(new Strike(Fault.BROKEN_LANES, thread, 1 + random.nextInt(LATEST_WAIT)));
        }
        int remembered = random.nextInt(2) * 64;
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(map.threads())
                        .computeNodes(2, 1 + map.threads())
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .lossTimeout(NodeLosses.TIMEOUT)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes.toArray(Strike[]::new)));
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        Set<Integer> ended = new TreeSet<>();
        HashMapHandle[] handles = new HashMapHandle[map.threads()];
        int last = (lost + 1) % map.threads();
        long[] empty = {0};
        cluster.prepared(ct -> {
                    empty[0] = ct.id() == 0 ? SegmentUse.liveBytes(ct) : empty[0];
                    map.createMap(ct);
                    ct.barrier();
                    handles[ct.id()] = map.opener().open(ct.root().get(), remembered, ct);
                })
                .run(ct -> {
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 1; i <= map.operations(); i++) {
                        try {
                            map.operate(handles[ct.id()], i, choices, recorder, ct);
                        } catch (FabricException e) {
                            // a lane broke: the operation is pending
                        }
                    }
                    ended.add(ct.id());
                    if (ct.id() == last) {
                        awaitAll(ended, ct);
                        checkMemory(handles[last], empty[0], cluster, ct);
                    }
                });
        for (int thread = 0; thread < map.threads(); thread++) {
            if (thread != lost && !ended.contains(thread)) {
                throw new AssertionError("thread " + thread + " has not ended after thread " + lost + " was lost");
            }
        }
        new LinearizabilityChecker<>(new MapSpecification<Long, Long>()).judge(recorder.history());
    }

    /** Waits until each thread has ended, or is known on this node to be lost. */
    private void awaitAll(Set<Integer> ended, ComputeThread ct) {
        for (int thread = 0; thread < map.threads(); thread++) {
            while (!ended.contains(thread) && !ct.peers().isLost(thread)) {
                ct.pause();
            }
        }
    }

    /** Each handle may have a bucket and an entry in reserve, and each loss and each break may lose another of both. */
    private void checkMemory(HashMapHandle handle, long before, SimulatedCluster cluster, ComputeThread ct) {
        long each = SegmentLayout.blockBytes(16 + 8L * map.shape().slots()) + SegmentLayout.BLOCK;
        try {
            handle.destroy(ct);
            long most = each * (map.threads() - 1 + NodeLosses.number(cluster) + NodeLosses.breaks(cluster));
            NodeLosses.checkMemory(before, most, cluster, ct);
        } catch (FabricException e) {
            // a lane broke: perhaps a part is left
        }
    }
}
