// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.Codecs;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.KeyType;
import dev.remus.structures.LockFreeListMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A few threads on two simulated Compute Nodes walk through a {@link LockFreeListMap}, while others add, replace and
 * remove keys of their own. The keys of the threads alternate in the list. Each walk must see what its documentation
 * promises: ascending keys, of which one that is there all the time comes exactly once, with a value that it had
 * meanwhile. Memory is checked too ({@code --check-memory}).
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param keys the number of keys that each thread changes
 * @param reuse when blocks are reused
 */
public record ListMapWalkScenario(int threads, int operations, int keys, Reuse reuse) implements Scenario {
    /** Rejects parameters that cannot be run. */
    public ListMapWalkScenario {
        SetScenario.check(threads, operations, keys);
    }

    private static LockFreeListMap<Long, Long> open(ComputeThread ct) {
        return new LockFreeListMap<>(new RdmaPtr<>(ct.root().get().raw()), KeyType.of(Codecs.LONG), WideKeys.codec());
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        ObservedMap observed = new ObservedMap(threads * keys);
        List<LockFreeListMap<Long, Long>> firstThreads = new ArrayList<>();
        new SimulatedCluster(reuse.in(SetScenario.config(threads, schedule.choices(-1))), schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(LockFreeListMap.create(ct));
                    }
                })
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        walk(firstThreads.get(0), observed, ct);
                        observed.count(() -> firstThreads.get(0).checkedSize(ct));
                        firstThreads.get(0).destroy(ct);
                    }
                })
                .run(ct -> {
                    LockFreeListMap<Long, Long> map = open(ct);
                    if (ct.id() == 0) {
                        firstThreads.add(map);
                    }
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 1; i <= operations; i++) {
                        operate(map, i, random, observed, ct);
                        reuse.after(i, ct);
                    }
                });
    }

    /** Executes the i-th operation of a thread, on the whole map or on a key that no other thread changes. */
    private void operate(
            LockFreeListMap<Long, Long> map, long i, SplittableRandom random, ObservedMap observed, ComputeThread ct) {
        long key = (long) random.nextInt(keys) * threads + ct.id();
        switch (random.nextInt(5)) {
            case 0, 1 -> walk(map, observed, ct);
            case 2 -> observed.change(key, KeyChanges.MISSING, () -> map.remove(key, ct));
            default -> observed.change(key, i, () -> map.put(key, i, ct));
        }
    }

    private static void walk(LockFreeListMap<Long, Long> map, ObservedMap observed, ComputeThread ct) {
        long[] last = {Long.MIN_VALUE};
        observed.walk(action -> map.forEach(
                (key, value) -> {
                    if (key <= last[0]) {
                        throw new AssertionError("a walk has come to key " + key + " behind key " + last[0]);
                    }
                    last[0] = key;
                    action.accept(key, value);
                },
                ct));
    }
}
