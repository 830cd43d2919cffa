// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.config.OnNodeLoss;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.sim.Fault;
import dev.remus.fabric.sim.Strike;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Some threads split full nodes of an ordered map on all levels, or one of them loads entries into a new map. They are
 * lost on the way, or their lanes break, often in the middle of a transfer. The others only read the map, at the same
 * time or afterwards, and must all finish. Then one of them sets all keys, and each look-up takes a single READ from
 * then on: no node is left to a link. The results must be linearizable.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param map the threads, how often each of those that are left reads, the keys, and the map; they do not meet here
 * @param isNew whether the map is new, and one thread loads entries
 */
public record TreeHalfScenario(TreeScenario map, boolean isNew) implements Scenario {
    /** More inner nodes than there are. */
    private static final int MANY = 1 << 10;

    /** So often a handle passes all links before it has entered the nodes behind them. */
    private static final int ROUNDS = 3;

    private static final int KINDS_OF_READS = 6;

    private static final long QUIET_NANOS = 8_000_000_000L;

    /** How many changes a thread makes, at most: each may leave another node half changed. */
    private static final int MOST_CHANGES = 3;

    /** The waits of a change, or some more, if memory is not checked; else about twice as many. */
    private static final int WAITS = 14;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int last = map.threads() - 1;
        int changing = isNew ? 1 : 1 + random.nextInt(last);
        int changes = isNew ? 1 : 1 + random.nextInt(MOST_CHANGES);
        int remembered = random.nextBoolean() ? MANY : TreeScenario.remembered(random);
        boolean isAtOnce = random.nextInt(3) == 0;
        boolean isChecked = random.nextInt(3) == 0;
        int waits = isChecked ? 2 * WAITS : WAITS;
        int firstRead = random.nextInt(KINDS_OF_READS);
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(map.threads())
                        .computeNodes(2, 1 + map.threads())
                        .threadsPerNode(1)
                        .onNodeLoss(OnNodeLoss.CONTINUE)
                        .checkMemory(isChecked)
                        .build(),
                schedule.withFaults(Set.of()).withStrikes(strikes(changing, changes, waits, random)));
        cluster.simulator().quietAfter(QUIET_NANOS);
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        Set<Integer> ended = new TreeSet<>();
        TreeHandle[] handles = new TreeHandle[map.threads()];
        cluster.prepared(ct -> {
                    map.createMap(ct);
                    ct.barrier();
                    handles[ct.id()] = map.opener().open(ct.root().get(), remembered, ct);
                    if (ct.id() == last && !isNew) {
                        load(map.keys() / 2 - random.nextInt(3), handles[last], recorder, ct);
                    }
                })
                .run(ct -> {
                    TreeHandle handle = handles[ct.id()];
                    SplittableRandom choices = schedule.choices(ct.id());
                    if (ct.id() < changing) {
                        for (int i = 0; i < changes; i++) {
                            begin(i, handle, choices, recorder, ct);
                        }
                    } else {
                        for (int thread = 0; !isAtOnce && thread < changing; thread++) {
                            awaitEnd(thread, ended, ct);
                        }
                        for (int i = 0; i < map.operations(); i++) {
                            int kind = i == 0 ? firstRead : choices.nextInt(KINDS_OF_READS);
                            read(kind, handle, choices, recorder, ct);
                        }
                    }
                    ended.add(ct.id());
                    if (ct.id() == last) {
                        for (int thread = 0; thread < last; thread++) {
                            awaitEnd(thread, ended, ct);
                        }
                        finish(handle, remembered == MANY, recorder, ct);
                        ended.add(map.threads());
                    }
                });
        for (int thread = 0; thread <= map.threads(); thread++) {
            if (!ended.contains(thread) && !cluster.stoppedThreads().contains(thread)) {
                throw new AssertionError(
                        (thread == map.threads() ? "thread " + last + " cannot set all keys" : "thread " + thread)
                                + " waits for ever, after " + cluster.struck());
            }
        }
        TreeScenario.judge(recorder);
    }

    private static Strike[] strikes(int changing, int changes, int waits, SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        for (int i = 0; i < changing * changes; i++) {
            int thread = i % changing;
            int wait = 1 + i / changing * waits + random.nextInt(waits);
            if (random.nextInt(4) > 0) { // in the middle of a transfer
                strikes.add(new Strike(Fault.LATE_REQUESTS, thread, wait));
            }
            boolean isLast = i / changing == changes - 1;
            Fault fault = isLast && random.nextBoolean() ? Fault.LOST_COMPUTE_NODES : Fault.BROKEN_LANES;
            strikes.add(new Strike(fault, thread, wait));
        }
        return strikes.toArray(Strike[]::new);
    }

    /** Waits until a thread has ended, or is cut off: a node that it has locked can then be taken over. */
    private static void awaitEnd(int thread, Set<Integer> ended, ComputeThread ct) {
        while (!ended.contains(thread) && !ct.peers().isLost(thread)) {
            ct.pause();
        }
    }

    // ------------------------------------------------------------------------------------------------ the change

    /** Loads even keys, which fill their nodes. That is recorded as puts that are in flight together. */
    private static void load(
            int keys,
            TreeHandle handle,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        SortedMap<Long, Long> entries = new TreeMap<>();
        List<Integer> calls = new ArrayList<>();
        for (long key = 0; key < 2L * keys; key += 2) {
            entries.put(key, -2L);
            calls.add(recorder.call(ct.id(), MapOperation.put(key, -2L)));
        }
        handle.bulkLoad(entries, ct);
        calls.forEach(call -> recorder.returned(call, Optional.empty()));
    }

    /** Changes the map. If the lane breaks, waits until this thread has released what it had locked. */
    private void begin(
            int i,
            TreeHandle handle,
            SplittableRandom random,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        try {
            change(i, handle, random, recorder, ct);
        } catch (FabricException e) {
            while (!isPlaced(ct)) {
                ct.pause();
            }
        }
    }

    private static boolean isPlaced(ComputeThread ct) {
        try {
            ct.place();
            return true;
        } catch (FabricException e) {
            return false;
        }
    }

    private void change(
            int i,
            TreeHandle handle,
            SplittableRandom random,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        if (isNew) {
            load(random.nextInt(map.keys() / 2), handle, recorder, ct);
        } else {
            long key = 2L * random.nextInt(map.keys() / 2) + Math.min(1, random.nextInt(4)); // an odd one is new
            TreeScenario.execute(MapOperation.put(key, -100L * (i + 1) - ct.id()), handle, recorder, ct);
        }
    }

    // ------------------------------------------------------------------------------------------------ the others

    private void read(
            int kind,
            TreeHandle handle,
            SplittableRandom random,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        switch (kind) {
            case 0 -> TreeScenario.scan(0, map.keys() - 1L, map.keys(), handle, recorder, ct);
            case 1 -> TreeScenario.scanDown(map.keys() - 1L, 0, map.keys(), handle, recorder, ct);
            case 2, 3, 4 -> map.scanSnapshot(handle, recorder, ct);
            default -> TreeScenario.execute(MapOperation.get(random.nextLong(map.keys())), handle, recorder, ct);
        }
    }

    /** Changes every leaf, checks what a look-up takes then if it is to be a single READ, and checks the map. */
    private void finish(
            TreeHandle handle,
            boolean isSingle,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        for (int round = 0; round < ROUNDS; round++) {
            for (long key = 0; key < map.keys(); key += 2) {
                TreeScenario.execute(MapOperation.put(key, -4L - round), handle, recorder, ct);
            }
        }
        for (long key = 0; isSingle && key < map.keys(); key += 2) {
            long before = ct.metrics().reads();
            TreeScenario.execute(MapOperation.get(key), handle, recorder, ct);
            if (ct.metrics().reads() != before + 1) {
                throw new AssertionError("a look-up of key " + key + " takes "
                        + (ct.metrics().reads() - before) + " READs, although all inner nodes are remembered");
            }
        }
        long size = handle.checkedSize(ct);
        TreeScenario.scan(0, map.keys() - 1L, map.keys(), handle, recorder, ct);
        if (size < map.keys() / 2) {
            throw new AssertionError("all even keys were set, but the map has only " + size + " entries");
        }
    }
}
