// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.LocalBuffer;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.MapShape;
import dev.remus.structures.RemoteHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A few threads on two simulated Compute Nodes walk through a hash map, count its entries and clear it, while others
 * change keys of their own and buckets are split. The buckets belong to several sections of the directory. What each
 * operation sees must be possible by what its documentation promises: a key that is there all the time comes exactly
 * once, any other at most once, with a value that it had meanwhile; and after it is cleared, a map has no key that was
 * there all the time. Memory is checked too ({@code --check-memory}).
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param keys the number of keys that each thread changes
 * @param clears whether threads also clear the map
 * @param reuse when blocks are reused
 * @param opener makes a thread's handle
 */
public record HashMapWalkScenario(
        int threads, int operations, int keys, boolean clears, Reuse reuse, HashMapScenario.Opener opener)
        implements Scenario {
    /**
     * Buckets of two entries. The hashes agree in their last six bits, so the first split reaches the second section of
     * the directory. They have one fingerprint, so that keys are compared.
     */
    private static final MapShape SHAPE = new MapShape(2, (-1L >>> 16) & -64);

    private static final int SECTION_BYTES = 512;
    private static final int SECTIONS_OF_A_THREAD = 2;

    /** Rejects parameters that cannot be run. */
    public HashMapWalkScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || keys < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", keys " + keys
                    + ": needs an even number of threads, and at least one operation and key");
        }
    }

    /** Walks through a map that grows. */
    public static HashMapWalkScenario walking(int threads, int operations, int keys) {
        return new HashMapWalkScenario(threads, operations, keys, false, Reuse.AFTER_BARRIERS, HashMapHandle::longs);
    }

    /** Walks through a map that grows and is cleared. */
    public static HashMapWalkScenario clearing(int threads, int operations, int keys) {
        return new HashMapWalkScenario(threads, operations, keys, true, Reuse.AFTER_BARRIERS, HashMapHandle::longs);
    }

    /** The same scenario with other handles to the map. */
    public HashMapWalkScenario of(HashMapScenario.Opener otherOpener) {
        return new HashMapWalkScenario(threads, operations, keys, clears, reuse, otherOpener);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        int remembered = schedule.choices(-1).nextInt(2) * 64;
        ClusterConfig config = SimulatedCluster.small(threads).build();
        ObservedMap observed = new ObservedMap(threads * keys);
        List<HashMapHandle> firstThreads = new ArrayList<>();
        new SimulatedCluster(reuse.in(config), schedule)
                .prepared(ct -> {
                    leaveGarbage(ct);
                    if (ct.id() == 0) {
                        ct.root().set(RemoteHashMap.create(SHAPE, ct));
                    }
                })
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        observed.count(() -> firstThreads.get(0).size(ct));
                        observed.walk(action -> firstThreads.get(0).forEach(action::accept, ct));
                        firstThreads.get(0).checkedSize(ct);
                        firstThreads.get(0).destroy(ct);
                    }
                })
                .run(ct -> {
                    HashMapHandle map = opener.open(ct.root().get(), remembered, ct);
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

    /** Fills the memory that sections of the directory will have, so that it matters that these are cleared. */
    private static void leaveGarbage(ComputeThread ct) {
        LocalBuffer garbage = ct.allocateLocal(SECTION_BYTES);
        for (int at = 0; at < SECTION_BYTES; at += Long.BYTES) {
            garbage.putLong(at, -1);
        }
        long[] blocks = new long[SECTIONS_OF_A_THREAD];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = ct.allocate(SECTION_BYTES);
            ct.write(blocks[i], garbage, 0, SECTION_BYTES);
        }
        for (long block : blocks) {
            ct.free(block, SECTION_BYTES);
        }
    }

    /** Executes the i-th operation of a thread, on the whole map or on a key that no other thread changes. */
    private void operate(HashMapHandle map, long i, SplittableRandom random, ObservedMap observed, ComputeThread ct) {
        long key = (long) ct.id() * keys + random.nextInt(keys);
        switch (random.nextInt(10)) {
            case 0 -> observed.walk(action -> map.forEach(action::accept, ct));
            case 2 -> observed.count(() -> map.size(ct));
            case 3 -> observed.change(key, KeyChanges.MISSING, () -> map.execute(MapOperation.remove(key), ct));
            case 4 -> observed.get(key, () -> map.execute(MapOperation.get(key), ct));
            case 1, 5 -> {
                if (clears) {
                    observed.clear(() -> map.clear(ct));
                } else {
                    observed.walk(action -> map.forEach(action::accept, ct));
                }
            }
            default -> observed.change(key, i, () -> map.execute(MapOperation.put(key, i), ct));
        }
    }
}
