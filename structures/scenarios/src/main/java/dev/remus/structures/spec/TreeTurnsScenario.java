// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Threads use an ordered map in turn, each on a Compute Node of its own, so that what a handle remembers has become old
 * through changes of the others. Each result must be that of a sequential map. In most runs lanes break, and leave
 * splits and removals half done; then a change has taken effect or not, as a look-up shows. If no lane has broken, a
 * map without keys has one leaf.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param map the threads, the number of turns of each, the keys, and the map; its threads do not meet here
 */
public record TreeTurnsScenario(TreeScenario map) implements Scenario {
    private static final int MOST_OPERATIONS = 3;
    private static final int WAITS_OF_A_TURN = 12;
    private static final int MOST_BREAKS = 3;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        int remembered = TreeScenario.remembered(random);
        SimulatedCluster cluster = new SimulatedCluster(
                map.reuse()
                        .in(SimulatedCluster.small(map.threads())
                                .computeNodes(2, 1 + map.threads())
                                .threadsPerNode(1)
                                .onNodeLoss(OnNodeLoss.CONTINUE)
                                .build()),
                schedule.withFaults(Set.of()).withStrikes(strikes(random)));
        int[] turn = {0};
        SortedMap<Long, Long> model = new TreeMap<>();
        TreeHandle[] handles = new TreeHandle[map.threads()];
        cluster.prepared(ct -> {
                    map.createMap(ct);
                    ct.barrier();
                    handles[ct.id()] = map.opener().open(ct.root().get(), remembered, ct);
                })
                .run(ct -> {
                    TreeHandle handle = handles[ct.id()];
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 0; i < map.operations(); i++) {
                        while (turn[0] % map.threads() != ct.id()) {
                            ct.pause();
                        }
                        for (int left = 1 + choices.nextInt(MOST_OPERATIONS); left > 0; left--) {
                            long value = ((long) i * map.threads() + ct.id()) * MOST_OPERATIONS + left;
                            operate(handle, value, model, choices, ct);
                        }
                        if (model.isEmpty() && cluster.struck().isEmpty()) {
                            unlessBroken(() -> map.checkOneLeaf(ct));
                        }
                        settle(ct);
                        turn[0]++;
                    }
                    if (turn[0] == map.threads() * map.operations()) {
                        untilDone(() -> checkSize(handle, model, ct), ct);
                    }
                });
        if (turn[0] != map.threads() * map.operations()) {
            throw new AssertionError("turn " + turn[0] + " does not end");
        }
    }

    private Strike[] strikes(SplittableRandom random) {
        List<Strike> strikes = new ArrayList<>();
        int last = WAITS_OF_A_TURN * map.operations();
        for (int thread = 0; thread < map.threads(); thread++) {
            for (int breaks = random.nextInt(MOST_BREAKS); breaks > 0; breaks--) {
                int wait = 1 + random.nextInt(last);
                if (random.nextInt(3) > 0) { // in the middle of a transfer
                    strikes.add(new Strike(Fault.LATE_REQUESTS, thread, wait));
                }
                strikes.add(new Strike(Fault.BROKEN_LANES, thread, wait));
            }
        }
        return random.nextInt(3) == 0 ? new Strike[0] : strikes.toArray(Strike[]::new);
    }

    /** Does an operation, of which a change may have its own value, and compares the result. */
    private void operate(
            TreeHandle handle, long value, SortedMap<Long, Long> model, SplittableRandom random, ComputeThread ct) {
        long key = random.nextInt(map.keys());
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 4, 5 -> change(MapOperation.put(key, value), handle, model, ct);
            case 6, 7, 8, 9, 10, 11 -> change(MapOperation.remove(key), handle, model, ct);
            case 12 -> clear(handle, model, ct);
            case 13 ->
                untilDone(
                        () -> {
                            SortedMap<Long, Long> found = new TreeMap<>();
                            handle.scanSnapshot(0, map.keys() - 1L, map.keys(), found::put, ct);
                            require(found, model, "a snapshot");
                        },
                        ct);
            default ->
                untilDone(
                        () -> require(
                                handle.execute(MapOperation.get(key), ct),
                                Optional.ofNullable(model.get(key)),
                                "a look-up of key " + key),
                        ct);
        }
    }

    private static void change(
            MapOperation<Long, Long> operation, TreeHandle handle, SortedMap<Long, Long> model, ComputeThread ct) {
        Optional<Long> before = Optional.ofNullable(model.get(operation.key()));
        boolean isDone = unlessBroken(() -> require(handle.execute(operation, ct), before, operation.toString()));
        if (isDone || isChanged(operation.key(), before, operation.value(), handle, ct)) {
            set(operation.key(), operation.value(), model);
        }
    }

    private void clear(TreeHandle handle, SortedMap<Long, Long> model, ComputeThread ct) {
        if (unlessBroken(() -> require(handle.clear(ct), (long) model.size(), "a clear"))) {
            model.clear();
            return;
        }
        for (Map.Entry<Long, Long> entry : new TreeMap<>(model).entrySet()) {
            if (isChanged(entry.getKey(), Optional.of(entry.getValue()), Optional.empty(), handle, ct)) {
                model.remove(entry.getKey());
            }
        }
    }

    /** Whether a change has taken effect whose lane broke. */
    private static boolean isChanged(
            long key, Optional<Long> before, Optional<Long> after, TreeHandle handle, ComputeThread ct) {
        settle(ct);
        List<Optional<Long>> found = new ArrayList<>();
        untilDone(() -> found.add(handle.execute(MapOperation.get(key), ct)), ct);
        Optional<Long> now = found.get(0);
        if (!now.equals(before) && !now.equals(after)) {
            throw new AssertionError("key " + key + " has " + now + " instead of " + before + " or " + after);
        }
        return now.equals(after);
    }

    private static void set(long key, Optional<Long> value, SortedMap<Long, Long> model) {
        if (value.isPresent()) {
            model.put(key, value.get());
        } else {
            model.remove(key);
        }
    }

    private static void checkSize(TreeHandle handle, SortedMap<Long, Long> model, ComputeThread ct) {
        require(handle.checkedSize(ct), (long) model.size(), "the size");
    }

    private static void require(Object found, Object expected, String what) {
        if (!found.equals(expected)) {
            throw new AssertionError(what + " has the result " + found + " instead of " + expected);
        }
    }

    /** Waits until this thread has released what it had locked. */
    private static void settle(ComputeThread ct) {
        untilDone(ct::place, ct);
    }

    private static void untilDone(Runnable action, ComputeThread ct) {
        while (!unlessBroken(action)) {
            ct.pause();
        }
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
}
