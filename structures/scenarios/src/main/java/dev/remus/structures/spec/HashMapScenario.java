// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.MapShape;
import dev.remus.structures.RemoteHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A few threads on two simulated Compute Nodes do random operations on a few keys of one hash map, which is empty at
 * first and whose buckets are small, so that they are split in each run. The results must be linearizable, and the map
 * must be sound at the end. Memory is checked too ({@code --check-memory}).
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param keys the number of keys they share
 * @param shape the map's buckets and hashes
 * @param reuse when blocks are reused
 * @param opener makes a thread's handle
 */
public record HashMapScenario(int threads, int operations, int keys, MapShape shape, Reuse reuse, Opener opener)
        implements Scenario {
    /** All hashes have the same fingerprint. */
    private static final long ONE_FINGERPRINT = -1L >>> 16;

    /** Hashes have one of two fingerprints, so that some slots seem to hold a key and do not. */
    private static final long TWO_FINGERPRINTS = -1L >>> 15;

    private static final int MAX_LANES = 4;

    /** Makes a thread's handle. */
    @FunctionalInterface
    public interface Opener {
        /** Makes a handle that remembers at most so many slots. */
        HashMapHandle open(RdmaPtr<?> This, int rememberedSlots, ComputeThread ct);
    }

    /** Rejects parameters that cannot be run. */
    public HashMapScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || keys < 1) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", keys " + keys
                    + ": needs an even number of threads, and at least one operation and key");
        }
    }

    /** A map that grows: buckets of two entries. All fingerprints are alike, so that keys are compared. */
    public static HashMapScenario growing(int threads, int operations, int keys, boolean reclaim) {
        return new HashMapScenario(
                threads, operations, keys, new MapShape(2, ONE_FINGERPRINT), Reuse.of(reclaim), HashMapHandle::longs);
    }

    /** A map whose keys all have the same hash, in a bucket with room for all, so that its slots are reused. */
    public static HashMapScenario colliding(int threads, int operations, int keys, boolean reclaim) {
        return new HashMapScenario(
                threads, operations, keys, new MapShape(keys, 0), Reuse.of(reclaim), HashMapHandle::longs);
    }

    /** A map that grows, with keys and values of variable length. */
    public static HashMapScenario texts(int threads, int operations, int keys, boolean reclaim) {
        return new HashMapScenario(
                threads, operations, keys, new MapShape(2, -1), Reuse.of(reclaim), HashMapHandle::texts);
    }

    /** A map that grows, whose values are looked up and set in batches. */
    public static HashMapScenario batches(int threads, int operations, int keys, boolean reclaim) {
        return new HashMapScenario(
                threads,
                operations,
                keys,
                new MapShape(3, TWO_FINGERPRINTS),
                Reuse.of(reclaim),
                HashMapHandle::batches);
    }

    /** The same scenario with other handles to the map. */
    public HashMapScenario of(Opener otherOpener) {
        return new HashMapScenario(threads, operations, keys, shape, reuse, otherOpener);
    }

    /** The same scenario with another reuse of memory. */
    public HashMapScenario with(Reuse otherReuse) {
        return new HashMapScenario(threads, operations, keys, shape, otherReuse, opener);
    }

    private ClusterConfig config(SplittableRandom random) {
        return SimulatedCluster.small(threads)
                .lanes(1 + random.nextInt(MAX_LANES))
                .lanePolicy(random.nextBoolean() ? LanePolicy.RAND : LanePolicy.RR)
                .build();
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        List<HashMapHandle> firstThreads = new ArrayList<>();
        SplittableRandom choices = schedule.choices(-1);
        int remembered = choices.nextInt(2) * 64;
        new SimulatedCluster(reuse.in(config(choices)), schedule)
                .recordedBy(recorder)
                .prepared(this::createMap)
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        checkSize(firstThreads.get(0), ct);
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
                        operate(map, i, random, recorder, ct);
                        reuse.after(i, ct);
                    }
                });
        new LinearizabilityChecker<>(new MapSpecification<Long, Long>()).judge(recorder.history());
    }

    /** A walk through the map finds all keys that are there, and perhaps others that a handle has set. */
    private void checkSize(HashMapHandle map, ComputeThread ct) {
        long present = LongStream.range(0, keys)
                .filter(key -> map.execute(MapOperation.get(key), ct).isPresent())
                .count();
        long size = map.checkedSize(ct);
        if (size < present) {
            throw new AssertionError("the map has " + size + " entries, but " + present + " keys are there");
        }
    }

    void createMap(ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(RemoteHashMap.create(shape, ct));
        }
    }

    /** Executes and records the i-th operation of a thread, which may set a value that no other sets. */
    void operate(
            HashMapHandle map,
            int i,
            SplittableRandom random,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        long key = random.nextInt(keys);
        long value = (long) i * threads + ct.id();
        long expected = random.nextLong(value + 1);
        MapOperation<Long, Long> operation = switch (random.nextInt(10)) {
            case 0, 1 -> MapOperation.put(key, value);
            case 2, 3 -> MapOperation.putIfAbsent(key, value);
            case 4 -> MapOperation.replace(key, expected, value);
            case 5, 6 -> MapOperation.remove(key);
            case 7 -> MapOperation.removeValue(key, expected);
            default -> MapOperation.get(key);
        };
        recorder.record(ct.id(), operation, () -> map.execute(operation, ct));
    }
}
