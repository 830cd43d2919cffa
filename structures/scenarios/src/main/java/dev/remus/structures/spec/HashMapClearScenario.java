// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.MapShape;
import dev.remus.structures.RemoteHashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * In each round, thread 0 makes a hash map with a full bucket. Then thread 1 walks through it and clears it, while half
 * of the others insert keys of their own, which splits the bucket, and the rest replace the values that are there. A
 * value is replaced once at most. The walk comes to each of the first keys once, as it is there all the time. None of
 * them is there after the clearing, since no thread has inserted it again. Thread 0 then destroys the map, and no block
 * may be left but those that other handles have in reserve.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of rounds
 * @param keys the number of keys that fill the bucket
 * @param opener makes a thread's handle
 */
public record HashMapClearScenario(int threads, int operations, int keys, HashMapScenario.Opener opener)
        implements Scenario {
    private static final int CHANGES_OF_A_ROUND = 3;
    private static final int CLEARER = 1;

    /** Rejects parameters that cannot be run. */
    public HashMapClearScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || keys < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", keys " + keys
                    + ": needs an even number of threads, and at least one operation and key");
        }
    }

    /** The scenario with the shipped map. */
    public HashMapClearScenario(int threads, int operations, int keys) {
        this(threads, operations, keys, HashMapHandle::longs);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        int remembered = schedule.choices(-1).nextInt(2) * 64;
        Set<MapOperation<Long, Long>> replaced = new HashSet<>();
        new SimulatedCluster(threads, schedule).run(ct -> {
            SplittableRandom random = schedule.choices(ct.id());
            for (int round = 0; round < operations; round++) {
                long live = ct.id() == 0 ? SegmentUse.liveBytes(ct) : 0;
                if (ct.id() == 0) {
                    replaced.clear();
                    createFull(ct);
                }
                ct.barrier();
                HashMapHandle map = opener.open(ct.root().get(), remembered, ct);
                if (ct.id() == CLEARER) {
                    walk(map, ct);
                    map.clear(ct);
                } else if (ct.id() % 4 == 2) {
                    insert(map, ct);
                } else {
                    replace(map, random, replaced, ct);
                }
                ct.barrier();
                ct.reclaimDeferred();
                if (ct.id() == 0) {
                    checkCleared(map, ct);
                    map.destroy(ct);
                    checkMemory(live, ct);
                }
            }
        });
    }

    private void createFull(ComputeThread ct) {
        ct.root().set(RemoteHashMap.create(new MapShape(keys, -1L >>> 16), ct));
        HashMapHandle map = HashMapHandle.longs(ct.root().get(), 0, ct);
        for (long key = 0; key < keys; key++) {
            map.execute(MapOperation.put(key, 0L), ct);
        }
    }

    private void walk(HashMapHandle map, ComputeThread ct) {
        int[] visits = new int[keys];
        map.forEach(
                (key, value) -> {
                    if (key < keys) {
                        visits[(int) key]++;
                    }
                },
                ct);
        for (int key = 0; key < keys; key++) {
            if (visits[key] != 1) {
                throw new AssertionError("a walk has come to key " + key + " " + visits[key] + " times");
            }
        }
    }

    private void insert(HashMapHandle map, ComputeThread ct) {
        for (long i = 1; i <= CHANGES_OF_A_ROUND; i++) {
            map.execute(MapOperation.put(keys + i * threads + ct.id(), i), ct);
        }
    }

    private void replace(
            HashMapHandle map, SplittableRandom random, Set<MapOperation<Long, Long>> replaced, ComputeThread ct) {
        for (long i = 1; i <= CHANGES_OF_A_ROUND; i++) {
            long key = random.nextInt(keys);
            Optional<Long> value = map.execute(MapOperation.get(key), ct);
            if (value.isPresent()
                    && map.execute(MapOperation.replace(key, value.get(), i * threads + ct.id()), ct)
                            .isPresent()
                    && !replaced.add(MapOperation.removeValue(key, value.get()))) {
                throw new AssertionError("value " + value.get() + " of key " + key + " was replaced twice");
            }
        }
    }

    private void checkCleared(HashMapHandle map, ComputeThread ct) {
        for (long key = 0; key < keys; key++) {
            Optional<Long> value = map.execute(MapOperation.get(key), ct);
            if (value.isPresent()) {
                throw new AssertionError("key " + key + " has value " + value.get() + " after the map was cleared");
            }
        }
    }

    /** A handle may have a bucket in reserve, and one that replaces values a block for the next one. */
    private void checkMemory(long before, ComputeThread ct) {
        long most = (threads - 1) * SegmentLayout.blockBytes(16 + 8L * keys) + (threads / 2 - 1L) * SegmentLayout.BLOCK;
        long left = SegmentUse.liveBytes(ct) - before;
        if (left > most) {
            throw new AssertionError("the map was destroyed, but " + left + " bytes of it are left, and not " + most);
        }
    }
}
