// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.config.ClusterConfig;
import dev.remus.config.LanePolicy;
import dev.remus.memory.RdmaPtr;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.LongLongTree;
import dev.remus.structures.RemoteTreeMap;
import dev.remus.structures.TreeShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A few threads on two simulated Compute Nodes do random operations and scans on a few keys of one ordered map, which
 * is empty at first and whose nodes are small, so that they are split all the time, on several levels. One last scan
 * follows. The results must be linearizable, each scan as look-ups of its keys, and the map must be sound at the end.
 * Memory is checked too ({@code --check-memory}).
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each
 * @param keys the number of keys they share
 * @param entries the number of entries in a node
 * @param merges whether the map has all keys at first, and most operations remove some or all of them, so that nodes
 *     become empty, are removed, and their memory is used again by epochs
 * @param isWide whether keys have three words, of which the first is the same for all
 * @param opener makes a thread's handle
 */
public record TreeScenario(
        int threads, int operations, int keys, int entries, boolean merges, boolean isWide, Opener opener)
        implements Scenario {
    private static final int MAX_LANES = 4;

    /** How many inner nodes a handle remembers: none, one, or all. */
    private static final int[] REMEMBERED = {0, 1, 64};

    /** Makes a thread's handle. */
    @FunctionalInterface
    public interface Opener {
        /** Makes a handle that remembers at most so many inner nodes. */
        TreeHandle open(RdmaPtr<?> This, int rememberedNodes, ComputeThread ct);
    }

    /** A map that grows, with other nodes or other handles. */
    public TreeScenario(int threads, int operations, int keys, int entries, Opener opener) {
        this(threads, operations, keys, entries, false, false, opener);
    }

    /** Rejects parameters that cannot be run. */
    public TreeScenario {
        SetScenario.check(threads, operations, keys);
    }

    /** A map with nodes of three entries. */
    public static TreeScenario shipped(int threads, int operations, int keys) {
        return new TreeScenario(threads, operations, keys, 3, TreeHandle::shipped);
    }

    /** A map with nodes of two entries, which become empty and are removed. */
    public static TreeScenario merging(int threads, int operations, int keys) {
        return new TreeScenario(threads, operations, keys, 2, true, false, TreeHandle::shipped);
    }

    /** The same scenario with other handles to the map. */
    public TreeScenario of(Opener otherOpener) {
        return new TreeScenario(threads, operations, keys, entries, merges, isWide, otherOpener);
    }

    /** Checks that a map without keys has one leaf: a scan READs no leaf but that which a look-up READs. */
    void checkOneLeaf(ComputeThread ct) {
        TreeHandle late = opener.open(ct.root().get(), 0, ct);
        long before = ct.metrics().reads();
        late.execute(MapOperation.get(0L), ct);
        long between = ct.metrics().reads();
        late.scan(0, keys - 1L, keys, (key, value) -> {}, ct);
        if (ct.metrics().reads() - between != between - before) {
            throw new AssertionError(
                    "a scan of a map without keys takes " + (ct.metrics().reads() - between)
                            + " READs, and a look-up takes " + (between - before) + ": empty leaves are left");
        }
    }

    /** The same scenario with so many entries in a node. */
    TreeScenario with(int otherEntries) {
        return new TreeScenario(threads, operations, keys, otherEntries, merges, isWide, opener);
    }

    /** The same scenario with keys of three words, and values in blocks. */
    public TreeScenario wide() {
        return new TreeScenario(threads, operations, keys, entries, merges, true, TreeHandle::wide);
    }

    /** The same scenario with keys of three words, and values of which some are longer than 4 KiB. */
    public TreeScenario longValued() {
        return new TreeScenario(threads, operations, keys, entries, merges, true, TreeHandle::longValued);
    }

    /** The bytes that one change takes: a node, and where values have blocks, the old one and the new one of a key. */
    long bytesOfAChange() {
        return (long) (isWide ? 6 : 2) * SegmentLayout.BLOCK;
    }

    Reuse reuse() {
        return merges ? Reuse.EPOCHS : Reuse.NONE;
    }

    ClusterConfig config(SplittableRandom random) {
        return reuse().in(SimulatedCluster.small(threads)
                .lanes(1 + random.nextInt(MAX_LANES))
                .lanePolicy(random.nextBoolean() ? LanePolicy.RAND : LanePolicy.RR)
                .build());
    }

    /** How many inner nodes the handles of a run remember. */
    static int remembered(SplittableRandom random) {
        return REMEMBERED[random.nextInt(REMEMBERED.length)];
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        List<TreeHandle> firstThreads = new ArrayList<>();
        SplittableRandom choices = schedule.choices(-1);
        int remembered = remembered(choices);
        new SimulatedCluster(config(choices), schedule)
                .recordedBy(recorder)
                .prepared(ct -> createMap(recorder, ct))
                .concluded(ct -> {
                    if (ct.id() == 0) {
                        audit(firstThreads.get(0), recorder, ct);
                        firstThreads.get(0).destroy(ct);
                    }
                })
                .run(ct -> {
                    TreeHandle map = opener.open(ct.root().get(), remembered, ct);
                    if (ct.id() == 0) {
                        firstThreads.add(map);
                    }
                    SplittableRandom random = schedule.choices(ct.id());
                    for (int i = 1; i <= operations; i++) {
                        operate(map, i, random, recorder, ct);
                        reuse().after(i, ct);
                    }
                });
        judge(recorder);
    }

    /** Checks the map once all operations have ended, and records what it then has, so that no change is lost. */
    private void audit(TreeHandle map, Recorder<MapOperation<Long, Long>, Optional<Long>> recorder, ComputeThread ct) {
        List<Long> all = LongStream.range(0, keys).boxed().toList();
        long size = map.checkedSize(ct);
        RecordedScan.record(
                ct.id(),
                all,
                keys,
                found -> {
                    long count = map.scan(0, keys - 1L, keys, found, ct);
                    if (count != size) {
                        throw new AssertionError("the map has " + size + " entries, and a scan finds " + count);
                    }
                    return count;
                },
                recorder);
    }

    void createMap(ComputeThread ct) {
        if (ct.id() == 0) {
            TreeShape shape = new TreeShape(entries);
            ct.root()
                    .set(
                            isWide
                                    ? RemoteTreeMap.create(TreeHandle.wideKeys(), shape, ct)
                                    : LongLongTree.create(shape, ct));
        }
    }

    /** The same, and sets all keys if nodes are to become empty. */
    void createMap(Recorder<MapOperation<Long, Long>, Optional<Long>> recorder, ComputeThread ct) {
        createMap(ct);
        if (merges && ct.id() == 0) {
            TreeHandle map = opener.open(ct.root().get(), 1, ct);
            for (long key = 0; key < keys; key++) {
                execute(MapOperation.put(key, -2L), map, recorder, ct);
            }
        }
    }

    static void judge(Recorder<MapOperation<Long, Long>, Optional<Long>> recorder) {
        new LinearizabilityChecker<>(new MapSpecification<Long, Long>()).judge(recorder.history());
    }

    /** Executes and records the i-th operation of a thread, which may set a value that no other sets. */
    void operate(
            TreeHandle map,
            int i,
            SplittableRandom random,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        long key = random.nextInt(keys);
        long value = (long) i * threads + ct.id();
        switch (random.nextInt(merges ? 25 : 15)) {
            case 0, 1, 2 -> execute(MapOperation.put(key, value), map, recorder, ct);
            case 3, 4 -> execute(MapOperation.putIfAbsent(key, value), map, recorder, ct);
            case 5 -> {
                // of the value that was just there, or else it would seldom succeed
                Optional<Long> seen = execute(MapOperation.get(key), map, recorder, ct);
                execute(MapOperation.replace(key, seen.orElse(0L), value), map, recorder, ct);
            }
            case 24 -> clear(map, recorder, ct);
            case 6, 7, 15, 16, 17, 18, 19, 20, 21, 22, 23 -> execute(MapOperation.remove(key), map, recorder, ct);
            case 8 -> scan(key, random.nextLong(key, keys), 1 + random.nextInt(keys), map, recorder, ct);
            case 9 -> scan(0, keys - 1L, keys, map, recorder, ct);
            case 10 -> nearest(key, i % 2 == 0, map, recorder, ct);
            case 11 -> scanDown(key, random.nextLong(key + 1), 1 + random.nextInt(keys), map, recorder, ct);
            case 12 -> scanDown(keys - 1L, 0, keys, map, recorder, ct);
            case 13 -> scanSnapshot(map, recorder, ct);
            default -> execute(MapOperation.get(key), map, recorder, ct);
        }
    }

    static Optional<Long> execute(
            MapOperation<Long, Long> operation,
            TreeHandle map,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        return recorder.record(ct.id(), operation, () -> map.execute(operation, ct));
    }

    static void scan(
            long from,
            long to,
            long limit,
            TreeHandle map,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        List<Long> ascending = LongStream.rangeClosed(from, to).boxed().toList();
        RecordedScan.record(ct.id(), ascending, limit, found -> map.scan(from, to, limit, found, ct), recorder);
    }

    /**
     * Clears the map: each key is missing at some moment, as a look-up that is in flight meanwhile finds. It was
     * removed for that or not, as by a removal whose result is unknown.
     */
    void clear(TreeHandle map, Recorder<MapOperation<Long, Long>, Optional<Long>> recorder, ComputeThread ct) {
        List<Integer> gets = new ArrayList<>();
        for (long key = 0; key < keys; key++) {
            recorder.call(ct.id(), MapOperation.remove(key));
            gets.add(recorder.call(ct.id(), MapOperation.get(key)));
        }
        map.clear(ct);
        gets.forEach(get -> recorder.returned(get, Optional.empty()));
    }

    /** A snapshot is judged as a scan here, and as one step by {@link TreeSnapshotScenario}. */
    void scanSnapshot(TreeHandle map, Recorder<MapOperation<Long, Long>, Optional<Long>> recorder, ComputeThread ct) {
        List<Long> all = LongStream.range(0, keys).boxed().toList();
        RecordedScan.record(ct.id(), all, keys, found -> map.scanSnapshot(0, keys - 1L, keys, found, ct), recorder);
    }

    static void scanDown(
            long from,
            long to,
            long limit,
            TreeHandle map,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        RecordedScan.record(
                ct.id(), descending(from, to), limit, found -> map.scanDown(from, to, limit, found, ct), recorder);
    }

    private static List<Long> descending(long from, long to) {
        return LongStream.rangeClosed(-from, -to).map(key -> -key).boxed().toList();
    }

    private void nearest(
            long key,
            boolean isUp,
            TreeHandle map,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        List<Long> candidates = isUp ? LongStream.range(key, keys).boxed().toList() : descending(key, 0);
        RecordedScan.record(
                ct.id(),
                candidates,
                1,
                found -> (isUp ? map.ceiling(key, found, ct) : map.floor(key, found, ct)) ? 1 : 0,
                recorder);
    }
}
