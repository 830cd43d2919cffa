// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.LongLongTree;
import dev.remus.structures.TreeShape;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One thread sets two keys of an ordered map, on the first and the last leaf, in turn and to growing values. The others
 * take snapshots. In each, the first key has the value of the last one or the next, and no value is older than in the
 * one before. In some runs the leaves are more than are READ together.
 *
 * @param threads the number of threads, which is even
 * @param operations how often the keys are set, and each of the others takes a snapshot
 * @param opener makes a thread's handle
 */
public record TreePairsScenario(int threads, int operations, TreeScenario.Opener opener) implements Scenario {
    /** Entries of a node; with nine tenths of them, the keys are on more leaves than are READ together. */
    private static final int MANY_ENTRIES = 10;

    private static final int MANY_KEYS = 90;
    /** Two leaves of one parent or more. */
    private static final int FEWEST_KEYS = 4;

    /** How often the thread looks a key up, at most, before it changes the first one again. */
    private static final int MOST_PAUSES = 6;

    /** Rejects parameters that cannot be run. */
    public TreePairsScenario {
        SetScenario.check(threads, operations, 1);
    }

    /** The scenario with the shipped map. */
    public TreePairsScenario(int threads, int operations) {
        this(threads, operations, TreeHandle::shipped);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        SplittableRandom random = schedule.choices(-1);
        boolean isLarge = random.nextInt(8) == 0;
        int remembered = TreeScenario.remembered(random);
        int keys = isLarge ? MANY_KEYS : FEWEST_KEYS + 2 * random.nextInt(3);
        new SimulatedCluster(threads, schedule)
                .prepared(ct -> {
                    if (ct.id() == 0) {
                        ct.root().set(LongLongTree.create(new TreeShape(isLarge ? MANY_ENTRIES : 2), ct));
                        SortedMap<Long, Long> entries = new TreeMap<>();
                        for (long key = 0; key < keys; key++) {
                            entries.put(key, 0L);
                        }
                        opener.open(ct.root().get(), 0, ct).bulkLoad(entries, ct);
                    }
                })
                .run(ct -> {
                    TreeHandle map = opener.open(ct.root().get(), remembered, ct);
                    if (ct.id() == 0) {
                        setPair(map, keys - 1L, schedule.choices(0), ct);
                    } else {
                        takeSnapshots(map, keys, ct);
                    }
                });
    }

    private void setPair(TreeHandle map, long last, SplittableRandom random, ComputeThread ct) {
        for (long value = 1; value <= operations; value++) {
            map.execute(MapOperation.put(0L, value), ct);
            map.execute(MapOperation.put(last, value), ct);
            for (int pauses = random.nextInt(MOST_PAUSES); pauses > 0; pauses--) {
                map.execute(MapOperation.get(last), ct); // so that a snapshot may end
            }
        }
    }

    private void takeSnapshots(TreeHandle map, int keys, ComputeThread ct) {
        long[] before = new long[keys];
        for (int i = 0; i < operations; i++) {
            long[] seen = new long[keys];
            Arrays.fill(seen, -1);
            long count = map.scanSnapshot(0, keys - 1L, keys, (key, value) -> seen[(int) key] = value, ct);
            if (count != keys) {
                throw new AssertionError("a snapshot of " + keys + " keys has " + count);
            }
            long ahead = seen[0] - seen[keys - 1];
            if (ahead < 0 || ahead > 1) {
                throw new AssertionError("a snapshot has values of different moments: " + Arrays.toString(seen));
            }
            for (int key = 0; key < keys; key++) {
                if (seen[key] < before[key]) {
                    throw new AssertionError("a snapshot has an older value of key " + key + " than the one before");
                }
            }
            before = seen;
        }
    }
}
