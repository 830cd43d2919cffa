// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.spec.OrderedMapOperation.OnKey;
import dev.remus.structures.spec.OrderedMapOperation.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Half of a few threads take snapshots of an ordered map, while the others change it and look keys up, so that its
 * nodes are split. It is empty at first. The results must be linearizable, each snapshot as one step, also one at the
 * end, and the map must then be sound.
 *
 * @param map the threads, their number of operations, the keys, and the map
 */
public record TreeSnapshotScenario(TreeScenario map) implements Scenario {
    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<OrderedMapOperation, SortedMap<Long, Long>> recorder = new Recorder<>();
        SplittableRandom choices = schedule.choices(-1);
        List<TreeHandle> firstThreads = new ArrayList<>();
        int remembered = TreeScenario.remembered(choices);
        new SimulatedCluster(map.config(choices), schedule)
                .recordedBy(recorder)
                .prepared(map::createMap)
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        audit(firstThreads.get(0), map.keys(), recorder, ct);
                    }
                })
                .run(ct -> {
                    TreeHandle handle = map.opener().open(ct.root().get(), remembered, ct);
                    if (ct.id() == 0) {
                        firstThreads.add(handle);
                    }
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 1; i <= map.operations(); i++) {
                        OrderedMapOperation operation = operation(ct.id(), (long) i * map.threads() + ct.id(), random);
                        recorder.record(ct.id(), operation, () -> execute(operation, handle, ct));
                    }
                });
        new LinearizabilityChecker<>(new OrderedMapSpecification()).judge(recorder.history());
    }

    /** Checks a map once all operations have ended, records what it then has, and gives its memory back. */
    static void audit(
            TreeHandle handle,
            int keys,
            Recorder<OrderedMapOperation, SortedMap<Long, Long>> recorder,
            ComputeThread ct) {
        handle.checkedSize(ct);
        Snapshot all = new Snapshot(0, keys - 1L, keys);
        recorder.record(ct.id(), all, () -> execute(all, handle, ct));
        handle.destroy(ct);
    }

    /** An operation of a thread. What changes the map sets a value that no other sets. */
    private OrderedMapOperation operation(int thread, long value, SplittableRandom random) {
        long key = random.nextInt(map.keys());
        if (thread % 2 == 0) {
            return random.nextInt(4) == 0
                    ? new Snapshot(key, map.keys() - 1L, 1 + random.nextInt(map.keys()))
                    : new Snapshot(0, map.keys() - 1L, map.keys());
        }
        return new OnKey(
                switch (random.nextInt(6)) {
                    case 0, 1, 2 -> MapOperation.put(key, value);
                    case 3 -> MapOperation.remove(key);
                    default -> MapOperation.get(key);
                });
    }

    static SortedMap<Long, Long> execute(OrderedMapOperation operation, TreeHandle handle, ComputeThread ct) {
        if (operation instanceof OnKey onKey) {
            return OrderedMapSpecification.entry(onKey.operation().key(), handle.execute(onKey.operation(), ct));
        }
        Snapshot snapshot = (Snapshot) operation;
        SortedMap<Long, Long> seen = new TreeMap<>();
        handle.scanSnapshot(snapshot.from(), snapshot.to(), snapshot.limit(), seen::put, ct);
        return seen;
    }
}
