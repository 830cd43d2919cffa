// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.spec.OrderedMapOperation.Load;
import dev.remus.structures.spec.OrderedMapOperation.OnKey;
import dev.remus.structures.spec.OrderedMapOperation.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Some threads load sorted entries into an ordered map that is empty at first, while they and others look keys up, add
 * some and take snapshots. One thread in four uses a new handle each time, which finds the root of the moment. The
 * results must be linearizable, each bulk load as one step. It is refused if and only if the map has entries, since no
 * thread removes any. The map must be sound at the end.
 *
 * @param map the threads, their number of operations, the keys, and the map
 */
public record TreeLoadScenario(TreeScenario map) implements Scenario {
    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<OrderedMapOperation, SortedMap<Long, Long>> recorder = new Recorder<>();
        List<TreeHandle> firstThreads = new ArrayList<>();
        SplittableRandom choices = schedule.choices(-1);
        int remembered = TreeScenario.remembered(choices);
        new SimulatedCluster(map.config(choices), schedule)
                .recordedBy(recorder)
                .prepared(map::createMap)
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        TreeSnapshotScenario.audit(firstThreads.get(0), map.keys(), recorder, ct);
                    }
                })
                .run(ct -> {
                    TreeHandle handle = map.opener().open(ct.root().get(), remembered, ct);
                    if (ct.id() == 0) {
                        firstThreads.add(handle);
                    }
                    SplittableRandom random = schedule.choices(ct.id());
                    int load = ct.id() % 2 == 0 ? 1 + random.nextInt(map.operations()) : 0;
                    for (int i = 1; i <= map.operations(); i++) {
                        TreeHandle used =
                                ct.id() % 4 == 1 ? map.opener().open(ct.root().get(), remembered, ct) : handle;
                        long value = (long) i * map.threads() + ct.id();
                        OrderedMapOperation operation = i == load ? load(value) : operation(value, random);
                        recorder.record(ct.id(), operation, () -> execute(operation, used, ct));
                    }
                });
        new LinearizabilityChecker<>(new OrderedMapSpecification()).judge(recorder.history());
    }

    /** A load of all keys with a value that no other operation sets. */
    private Load load(long value) {
        SortedMap<Long, Long> entries = new TreeMap<>();
        for (long key = 0; key < map.keys(); key++) {
            entries.put(key, value);
        }
        return new Load(Collections.unmodifiableSortedMap(entries));
    }

    private OrderedMapOperation operation(long value, SplittableRandom random) {
        long key = random.nextInt(map.keys());
        return switch (random.nextInt(8)) {
            case 0 -> new OnKey(MapOperation.put(key, value));
            case 1, 2 -> new Snapshot(0, map.keys() - 1L, map.keys());
            default -> new OnKey(MapOperation.get(key));
        };
    }

    static SortedMap<Long, Long> execute(OrderedMapOperation operation, TreeHandle handle, ComputeThread ct) {
        if (operation instanceof Load load) {
            try {
                handle.bulkLoad(load.entries(), ct);
                return Collections.emptySortedMap();
            } catch (IllegalStateException e) {
                return Load.REFUSAL;
            }
        }
        return TreeSnapshotScenario.execute(operation, handle, ct);
    }
}
