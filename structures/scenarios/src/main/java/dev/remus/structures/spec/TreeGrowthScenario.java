// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.LongLongTree;
import dev.remus.structures.TreeShape;
import java.util.SplittableRandom;

/**
 * Threads put keys of their own into a new ordered map all at once, so that several of them make its next root. Then
 * one destroys the map, and they begin again with another one. Each map must have all keys and be sound, and all memory
 * must be free at the end.
 *
 * @param threads the number of threads, which is even
 * @param maps how many maps they use
 * @param keys the number of keys of each thread
 * @param opener makes a thread's handle
 */
public record TreeGrowthScenario(int threads, int maps, int keys, TreeScenario.Opener opener) implements Scenario {
    /** Rejects parameters that cannot be run. */
    public TreeGrowthScenario {
        SetScenario.check(threads, maps, keys);
    }

    /** The scenario with the shipped map. */
    public TreeGrowthScenario(int threads, int maps, int keys) {
        this(threads, maps, keys, TreeHandle::shipped);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        int remembered = TreeScenario.remembered(schedule.choices(-1));
        SimulatedCluster cluster = new SimulatedCluster(
                SimulatedCluster.small(threads)
                        .segmentSizeLog2(TreeChurnScenario.SEGMENT_LOG2)
                        .segmentsPerNode(1)
                        .build(),
                schedule);
        int[] closed = {0};
        cluster.concluded(ct -> TreeChurnScenario.checkMemory(closed, cluster, ct))
                .run(ct -> {
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 0; i < maps; i++) {
                        if (ct.id() == 0) {
                            ct.root().set(LongLongTree.create(new TreeShape(2), ct));
                        }
                        ct.barrier();
                        TreeHandle map = opener.open(ct.root().get(), remembered, ct);
                        putAll(map, random, ct);
                        ct.barrier();
                        if (ct.id() == i % threads) {
                            destroy(map, ct);
                        }
                        ct.barrier();
                    }
                });
    }

    private void putAll(TreeHandle map, SplittableRandom random, ComputeThread ct) {
        int first = random.nextInt(keys);
        for (int i = 0; i < keys; i++) {
            long key = (long) ((first + i) % keys) * threads + ct.id();
            map.execute(MapOperation.put(key, key), ct);
        }
    }

    private void destroy(TreeHandle map, ComputeThread ct) {
        long size = map.checkedSize(ct);
        if (size != (long) keys * threads) {
            throw new AssertionError("a map has " + size + " of " + keys * threads + " keys");
        }
        map.destroy(ct);
    }
}
