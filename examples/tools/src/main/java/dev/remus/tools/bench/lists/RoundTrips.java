// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.lists;

import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteLongSet;
import dev.remus.tools.bench.suite.BenchCluster;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Round trips of a list's operations with one thread, hence without contention: equal on every fabric and in every run.
 * Half of the keys are present, and a cache is filled.
 *
 * @param contains of any key, on average
 * @param insert of a key that is missing, on average
 * @param remove of a key that is there, on average
 * @param insertBeyondSearch the most additional round trips of such an insert over a contains of the same key
 * @param removeBeyondSearch the same for a remove
 */
record RoundTrips(double contains, double insert, double remove, double insertBeyondSearch, double removeBeyondSearch) {
    private static final int SEGMENT_LOG2 = 20;

    /**
     * Counts the round trips.
     *
     * @param keys the size of the key range; half of the keys are in the list
     * @param memoryNodes the number of Memory Nodes, over which the list's nodes are distributed in turn
     * @param samples repetitions of each operation
     */
    static RoundTrips count(ListKind kind, int keys, int memoryNodes, int samples) throws Exception {
        AtomicReference<RoundTrips> result = new AtomicReference<>();
        new BenchCluster("shm", memoryNodes, 1, SEGMENT_LOG2)
                .run(ct -> result.set(count(filled(kind, keys, ct), keys, samples, ct)));
        return Objects.requireNonNull(result.get(), "counted by the only thread");
    }

    /** A list with every other key, inserted in descending order so that searches are short. */
    static RemoteLongSet filled(ListKind kind, int keys, ComputeThread ct) {
        RemoteLongSet set = kind.open(kind.create(ct).raw());
        for (long key = keys - 2L; key >= 0; key -= 2) {
            set.insert(key, ct);
        }
        return set;
    }

    private static RoundTrips count(RemoteLongSet set, int keys, int samples, ComputeThread ct) {
        SplittableRandom random = new SplittableRandom(1);
        set.contains(keys, ct); // visits all nodes
        long contains = 0;
        long insert = 0;
        long remove = 0;
        long insertBeyond = 0;
        long removeBeyond = 0;
        for (int i = 0; i < samples; i++) {
            long any = random.nextInt(keys);
            contains += trips(ct, () -> set.contains(any, ct));
            long missing = 2L * random.nextInt(keys / 2) + 1;
            long search = trips(ct, () -> set.contains(missing, ct));
            long inserted = trips(ct, () -> set.insert(missing, ct));
            insert += inserted;
            insertBeyond = Math.max(insertBeyond, inserted - search);
            search = trips(ct, () -> set.contains(missing, ct));
            long removed = trips(ct, () -> set.remove(missing, ct));
            remove += removed;
            removeBeyond = Math.max(removeBeyond, removed - search);
            if (random.nextBoolean()) {
                ct.allocate(1); // otherwise, with two Memory Nodes, new nodes would all be on one of them
            }
        }
        double n = samples;
        return new RoundTrips(contains / n, insert / n, remove / n, insertBeyond, removeBeyond);
    }

    private static long trips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }
}
