// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.MapShape;
import dev.remus.structures.RemoteHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Thread 0 inserts keys into a full bucket of a hash map and is lost, mostly while it splits the bucket. The others
 * replace and remove the keys that are there, which may belong to entries that the split has frozen, and insert none:
 * each of them must end all the same. The results must be linearizable, and the last thread to end checks the map.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param keys the number of keys that fill the bucket
 * @param opener makes a thread's handle
 */
public record HashMapLeftScenario(int threads, int operations, int keys, HashMapScenario.Opener opener)
        implements Scenario {
    private static final int LATEST_WAIT = 16;

    /** Rejects parameters that cannot be run. */
    public HashMapLeftScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || keys < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", keys " + keys
                    + ": needs an even number of threads, and at least one operation and key");
        }
    }

    /** The scenario with the shipped map. */
    public HashMapLeftScenario(int threads, int operations, int keys) {
        this(threads, operations, keys, HashMapHandle::longs);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int remembered = random.nextInt(2) * 64;
        Strike strike = new Strike(Fault.LOST_COMPUTE_NODES, 0, 1 + random.nextInt(LATEST_WAIT));
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .computeNodes(2, 1 + threads)
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strike));
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        List<Integer> others = IntStream.range(1, threads).boxed().toList();
        Set<Integer> ended = new TreeSet<>();
        HashMapHandle[] handles = new HashMapHandle[threads];
        cluster.prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(RemoteHashMap.create(new MapShape(keys, -1L >>> 16), ct));
                    }
                    ct.barrier();
                    handles[ct.id()] = opener.open(ct.root().get(), remembered, ct);
                    for (long key = 0; key < keys && ct.id() == 0; key++) {
                        record(MapOperation.put(key, key), handles[0], recorder, ct);
                    }
                })
                .run(ct -> {
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 1; i <= operations; i++) {
                        record(operation(i, choices, ct), handles[ct.id()], recorder, ct);
                    }
                    ended.add(ct.id());
                    if (ended.containsAll(others)) {
                        while (!ended.contains(0) && !ct.peers().isLost(0)) {
                            ct.pause();
                        }
                        handles[ct.id()].checkedSize(ct);
                        ended.add(threads);
                    }
                });
        for (int thread = 1; thread <= threads; thread++) {
            if (!ended.contains(thread) && (thread < threads || !ended.contains(0))) {
                throw new AssertionError(
                        thread == threads
                                ? "the map cannot be checked after thread 0 was lost"
                                : "thread " + thread + " waits for ever after thread 0 was lost");
            }
        }
        new LinearizabilityChecker<>(new MapSpecification<Long, Long>()).judge(recorder.history());
    }

    private MapOperation<Long, Long> operation(int i, SplittableRandom random, ComputeThread ct) {
        if (ct.id() == 0) {
            return MapOperation.put((long) keys + i, (long) i);
        }
        long key = random.nextInt(keys);
        return switch (random.nextInt(8)) {
            case 0 -> MapOperation.remove(key);
            case 1, 2 -> MapOperation.get(key);
            default -> MapOperation.replace(key, key, key);
        };
    }

    private static void record(
            MapOperation<Long, Long> operation,
            HashMapHandle map,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        recorder.record(ct.id(), operation, () -> map.execute(operation, ct));
    }
}
