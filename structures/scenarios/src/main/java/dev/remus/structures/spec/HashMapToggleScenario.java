// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.MapShape;
import dev.remus.structures.RemoteHashMap;
import java.util.ArrayList;
import java.util.List;

/**
 * One thread puts a key into a hash map and removes it again, and so on; the others walk through the map and count its
 * entries. Each put takes another slot of the bucket. So a walk would come to the key twice if it took the slots for
 * those of one moment.
 *
 * @param threads the number of threads, which is even
 * @param operations how often the key is put and removed, and each of the others walks and counts
 * @param opener makes a thread's handle
 */
public record HashMapToggleScenario(int threads, int operations, HashMapScenario.Opener opener) implements Scenario {
    /** A generation of the bucket has room for four puts. */
    private static final MapShape SHAPE = new MapShape(4, -1);

    private static final long KEY = 1;

    /** Rejects parameters that cannot be run. */
    public HashMapToggleScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations
                    + ": needs an even number of threads, and at least one operation");
        }
    }

    /** The scenario with the shipped map. */
    public HashMapToggleScenario(int threads, int operations) {
        this(threads, operations, HashMapHandle::longs);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        new SimulatedCluster(threads, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(RemoteHashMap.create(SHAPE, ct));
                    }
                })
                .run(ct -> {
                    HashMapHandle map = opener.open(ct.root().get(), 0, ct);
                    for (long i = 0; i < operations; i++) {
                        if (ct.id() == 0) {
                            map.execute(MapOperation.put(KEY, i), ct);
                            map.execute(MapOperation.remove(KEY), ct);
                        } else {
                            observe(map, ct);
                        }
                    }
                });
    }

    private static void observe(HashMapHandle map, ComputeThread ct) {
        List<Long> values = new ArrayList<>();
        map.forEach((key, value) -> values.add(value), ct);
        if (values.size() > 1) {
            throw new AssertionError("a walk has come to one key " + values.size() + " times, with values " + values);
        }
        long size = map.size(ct);
        if (size > 1) {
            throw new AssertionError("the map has " + size + " entries, of one key");
        }
    }
}
