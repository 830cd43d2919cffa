// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.NodeLostException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.RemoteLongSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Threads use a set while their lanes break several times, their links are down for a while, or they are interrupted.
 * An operation that fails so may have taken effect or not, and its thread continues. All threads must finish all of
 * their operations with linearizable results. Afterwards no node is locked, and a removed node that is still linked
 * keeps nobody from changing the set beside it.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param set the operations, and the set
 * @param fault {@link Fault#BROKEN_LANES}, {@link Fault#DOWN_LINKS} or {@link Fault#INTERRUPTED_THREADS}
 */
public record SetBreaksScenario(SetScenario set, Fault fault) implements Scenario {
    private static final int MAX_BREAKS = 5;
    private static final int LATEST_WAIT = 60;
    private static final int MOST_ROUNDS = 20;

    /** Lanes break one by one. */
    public SetBreaksScenario(SetScenario set) {
        this(set, Fault.BROKEN_LANES);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int threads = set.threads();
        Strike[] breaks = IntStream.rangeClosed(0, random.nextInt(MAX_BREAKS))
                .mapToObj(i -> new Strike(fault, random.nextInt(threads), 1 + random.nextInt(LATEST_WAIT)))
                .toArray(Strike[]::new);
        int nodes = random.nextBoolean() ? threads : threads / 2; // with threads that share lanes, or without
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + nodes)
                        .threadsPerNode(threads / nodes)
                        .lanes(1 + random.nextInt(2))
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(breaks));
        Recorder<SetOperation<Long>, Boolean> recorder = new Recorder<>();
        List<RemoteLongSet> firstThreads = new ArrayList<>();
        Set<Integer> ended = new TreeSet<>();
        cluster.recordedBy(recorder)
                .prepared(set::create)
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        tidyUp(firstThreads.get(0), ct);
                    }
                })
                .run(ct -> {
                    RemoteLongSet handle = opened(ct);
                    if (ct.id() == 0) {
                        firstThreads.add(handle);
                    }
                    SplittableRandom choices = schedule.choices(ct.id());
                    int most = MOST_ROUNDS * set.operations();
                    for (int i = 0;
                            i < set.operations() || i < most && cluster.struck().size() < breaks.length;
                            i++) { // until all breaks are over: one while a thread closes would end its node
                        unlessBroken(() -> set.operate(handle, choices, recorder, ct));
                    }
                    ended.add(ct.id());
                });
        for (int thread = 0; thread < threads; thread++) {
            if (!ended.contains(thread)) {
                throw new AssertionError("thread " + thread + " has not ended after lanes broke");
            }
        }
        set.judge(recorder.history());
    }

    private RemoteLongSet opened(ComputeThread ct) {
        RemoteLongSet[] handle = {null};
        boolean isOpen = false;
        while (!isOpen) { // a thread may be interrupted
            isOpen = unlessBroken(() -> handle[0] = set.open(ct));
        }
        return handle[0];
    }

    /** Changes the set beside every node, then checks it. A lane may still break on the way. */
    private void tidyUp(RemoteLongSet handle, ComputeThread ct) {
        for (long key = 0; key < set.keys(); key++) {
            long k = key;
            while (!unlessBroken(() -> handle.insert(k, ct))) {
                ct.pause();
            }
        }
        for (long key = 0; key < set.keys(); key++) {
            long k = key;
            while (!unlessBroken(() -> handle.remove(k, ct))) {
                ct.pause();
            }
        }
        long[] size = {-1};
        while (!unlessBroken(() -> size[0] = handle.checkedSize(ct))) {
            ct.pause();
        }
        if (size[0] != 0) {
            throw new AssertionError("all keys were removed, but the set has " + size[0]);
        }
    }

    /** Does something; returns false if a lane broke meanwhile. */
    private static boolean unlessBroken(Runnable action) {
        try {
            action.run();
            return true;
        } catch (NodeLostException e) {
            throw e;
        } catch (FabricException e) {
            return false;
        }
    }
}
