// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.Recorder;
import dev.remus.fabric.sim.Fault;
import dev.remus.memory.OutOfRemoteMemoryException;
import dev.remus.memory.SegmentHeader;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Threads put and remove a few keys of an ordered map, so that the same nodes are split and removed again and again.
 * The results must be linearizable. At the end a map without keys has one leaf, {@code clear} counts what it removes,
 * and all memory is free once the map is destroyed.
 *
 * @param map the threads, the number of operations of each, the keys, and the map
 */
public record TreeChurnScenario(TreeScenario map) implements Scenario {
    /** So that all memory is soon allocated. */
    static final int SEGMENT_LOG2 = 13;

    /** Room for a map with many entries. */
    private static final int LARGE_SEGMENT_LOG2 = 15;

    /** More than a clear removes at once, and entries of a node. */
    private static final int MANY = 140;

    private static final int MANY_OF_A_NODE = 10;

    /** The most bytes of a node or of the block of a value. */
    private static final int MOST_BYTES = 512;

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        TreeScenario drawn = random.nextBoolean() ? map : map.wide();
        int remembered = TreeScenario.remembered(random);
        boolean isLarge = random.nextInt(4) == 0;
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(map.threads())
                        .lanes(1 + random.nextInt(2))
                        .segmentSizeLog2(isLarge ? LARGE_SEGMENT_LOG2 : SEGMENT_LOG2)
                        .segmentsPerNode(1)
                        .build(),
                schedule);
        TreeHandle[] handles = new TreeHandle[map.threads()];
        int[] closed = {0};
        cluster.prepared(drawn::createMap)
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        empty(drawn, handles[0], ct);
                    }
                    if (ct.id() == 0 && isLarge) {
                        clearMany(drawn.with(MANY_OF_A_NODE), ct);
                    }
                    ct.barrier();
                    ct.reclaimDeferred();
                    checkMemory(closed, cluster, ct);
                })
                .run(ct -> {
                    handles[ct.id()] = drawn.opener().open(ct.root().get(), remembered, ct);
                    SplittableRandom choices = schedule.choices(ct.id());
                    for (int i = 1; i <= map.operations(); i++) {
                        operate(i, handles[ct.id()], choices, recorder, ct);
                        Reuse.AFTER_BARRIERS.after(i, ct);
                    }
                });
        TreeScenario.judge(recorder);
    }

    /** The i-th operation of a thread, which may set a value that no other sets. */
    private void operate(
            int i,
            TreeHandle handle,
            SplittableRandom random,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        long key = random.nextInt(map.keys());
        long value = (long) i * map.threads() + ct.id();
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 4, 5 -> TreeScenario.execute(MapOperation.put(key, value), handle, recorder, ct);
            case 6, 7 -> TreeScenario.execute(MapOperation.putIfAbsent(key, value), handle, recorder, ct);
            case 8 -> TreeScenario.execute(MapOperation.get(key), handle, recorder, ct);
            case 9 -> map.clear(handle, recorder, ct);
            default -> TreeScenario.execute(MapOperation.remove(key), handle, recorder, ct);
        }
    }

    /** Removes all keys in one go, and destroys the map. Then one leaf is left, so that a scan READs no other. */
    private void empty(TreeScenario drawn, TreeHandle handle, ComputeThread ct) {
        handle.checkedSize(ct);
        for (long key = 0; key < map.keys(); key++) {
            handle.execute(MapOperation.put(key, key), ct);
        }
        long cleared = handle.clear(ct);
        if (cleared != map.keys() || handle.checkedSize(ct) != 0) {
            throw new AssertionError("of " + map.keys() + " keys, a clear has removed " + cleared);
        }
        drawn.checkOneLeaf(ct);
        for (long key = 0; key < 2L * map.keys(); key++) {
            handle.execute(MapOperation.put(key, key), ct);
        }
        handle.destroy(ct);
        drawn.createMap(ct);
        TreeHandle loaded = drawn.opener().open(ct.root().get(), 0, ct);
        loaded.bulkLoad(new TreeMap<>(Map.of(0L, 0L)), ct);
        loaded.destroy(ct);
    }

    /** Clears a map that has more entries than are removed at once. */
    private static void clearMany(TreeScenario drawn, ComputeThread ct) {
        drawn.createMap(ct);
        TreeHandle handle = drawn.opener().open(ct.root().get(), 1, ct);
        SortedMap<Long, Long> entries = new TreeMap<>();
        for (long key = 0; key < MANY; key++) {
            entries.put(key, key);
        }
        handle.bulkLoad(entries, ct);
        long cleared = handle.clear(ct);
        if (cleared != MANY || handle.checkedSize(ct) != 0) {
            throw new AssertionError("of " + MANY + " keys, a clear has removed " + cleared);
        }
        handle.destroy(ct);
    }

    /**
     * Checks that all memory is free when all threads but the first have closed: that one can allocate it. Some may be
     * lost if a lane broke.
     *
     * @param closed the number of threads that have closed
     */
    static void checkMemory(int[] closed, SimulatedCluster cluster, ComputeThread ct) {
        if (ct.id() > 0) {
            ct.close();
            closed[0]++;
            return;
        }
        while (closed[0] < ct.threads() - 1) {
            ct.pause();
        }
        if (cluster.struck().stream().noneMatch(strike -> strike.fault() == Fault.BROKEN_LANES)) {
            allocateAll(ct);
        }
    }

    /** Allocates all memory, in blocks of all sizes. */
    private static void allocateAll(ComputeThread ct) {
        long free = 0;
        for (int bytes = SegmentLayout.BLOCK; bytes <= MOST_BYTES; bytes += SegmentLayout.BLOCK) {
            free += bytes * allocateAll(bytes, ct);
        }
        long all = SegmentUse.of(ct).stream()
                .mapToLong(segment -> segment.bytes() - SegmentHeader.BYTES)
                .sum();
        if (free != all) {
            throw new AssertionError("of " + all + " bytes, only " + free + " are free: blocks were forgotten");
        }
    }

    private static long allocateAll(int bytes, ComputeThread ct) {
        long blocks = 0;
        try {
            while (true) {
                ct.allocate(bytes);
                blocks++;
            }
        } catch (OutOfRemoteMemoryException e) {
            return blocks;
        }
    }
}
