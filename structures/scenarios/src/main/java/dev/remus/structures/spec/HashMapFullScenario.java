// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures.spec;

import dev.remus.check.LinearizabilityChecker;
import dev.remus.check.Recorder;
import dev.remus.memory.SegmentLayout;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import dev.remus.simulation.SimulatedCluster;
import dev.remus.structures.MapShape;
import dev.remus.structures.RemoteHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * In each round, thread 0 makes a hash map with a full bucket, and a few threads then change the same keys, so that
 * several of them split the bucket at the same moment. The results must be linearizable. When the round ends, thread 0
 * destroys the map, whose memory the next one gets. No block may be left then, but one bucket for each other thread,
 * which its handle has in reserve. Keys are looked up by new handles, which READ the whole directory. In each round the
 * threads have {@linkplain Role roles}.
 *
 * @param threads the number of threads, which is even
 * @param operations the number of operations of each thread in a round
 * @param keys the number of keys they share
 * @param roles the roles of the threads in each round
 * @param shape the map's buckets and hashes
 * @param opener makes a thread's handle
 */
public record HashMapFullScenario(
        int threads, int operations, int keys, List<Role> roles, MapShape shape, HashMapScenario.Opener opener)
        implements Scenario {
    private static final long ONE_FINGERPRINT = -1L >>> 16;

    /** So a bucket often has one entry of a fingerprint, which a batch can change, and at times several. */
    private static final long FOUR_FINGERPRINTS = ONE_FINGERPRINT | 3L << 62;

    /** What the threads do in a round. */
    public enum Role {
        /** Each thread changes and looks up any key. */
        ANY,

        /**
         * Thread 0 removes an old key and puts it again, and so on, while the others put the same new one, which they
         * seldom remove: so they may see other empty slots.
         */
        SAME_KEY,

        /** Thread 0 puts new keys, while each other one sets the value of an old one, which may move. */
        OLD_KEYS,

        /** Thread 0 replaces values, and the others remove the keys: so no other handle has a block in reserve. */
        OLD_VALUES,

        /** Thread 0 puts new keys, while each other one walks through the map, and comes once to each old key. */
        WALKS
    }

    /** Rejects parameters that cannot be run. */
    public HashMapFullScenario {
        if (threads < 2 || threads % 2 != 0 || operations < 1 || keys <= shape.slots()) {
            throw new IllegalArgumentException("threads " + threads + ", operations " + operations + ", keys " + keys
                    + ": needs an even number of threads, an operation, and more keys than slots of a bucket");
        }
    }

    /** Buckets of two entries. All fingerprints are alike, so that keys are compared. */
    public static HashMapFullScenario splitting(int threads, int operations, int keys) {
        return new HashMapFullScenario(
                threads,
                operations,
                keys,
                rounds(2, Role.ANY, Role.SAME_KEY, Role.OLD_KEYS, Role.OLD_VALUES),
                new MapShape(2, ONE_FINGERPRINT),
                HashMapHandle::longs);
    }

    /** The same with values that are looked up and set in batches, which leave open what fingerprints do not tell. */
    public static HashMapFullScenario batches(int threads, int operations, int keys) {
        return new HashMapFullScenario(
                threads,
                operations,
                keys,
                rounds(2, Role.ANY, Role.OLD_KEYS, Role.SAME_KEY),
                new MapShape(3, FOUR_FINGERPRINTS),
                HashMapHandle::batches);
    }

    /**
     * The same with hashes that agree in their last six bits, so that the first new bucket which takes some of the keys
     * needs a section of the directory, at the same moment for all threads that have split the bucket before it.
     */
    public static HashMapFullScenario sections(int threads, int operations, int keys) {
        return sections(threads, operations, keys, 4, 6);
    }

    /** The same with so many common bits that the last sections are too large for the few buckets that there are. */
    public static HashMapFullScenario deep(int threads, int operations, int keys) {
        return sections(threads, operations, keys, 1, 12);
    }

    private static HashMapFullScenario sections(int threads, int operations, int keys, int rounds, int commonBits) {
        return new HashMapFullScenario(
                threads,
                operations,
                keys,
                rounds(rounds, Role.ANY),
                new MapShape(2, ONE_FINGERPRINT & -1L << commonBits),
                HashMapHandle::longs);
    }

    /** Threads that insert one key into a bucket without a free slot, of whose entries another thread removes one. */
    public static HashMapFullScenario sameKey(int threads, int operations, int keys) {
        return new HashMapFullScenario(
                threads,
                operations,
                keys,
                rounds(6, Role.SAME_KEY),
                new MapShape(3, ONE_FINGERPRINT),
                HashMapHandle::longs);
    }

    /** Walks through a map whose buckets are split. */
    public static HashMapFullScenario walks(int threads, int operations, int keys) {
        return new HashMapFullScenario(
                threads,
                operations,
                keys,
                rounds(8, Role.WALKS),
                new MapShape(3, ONE_FINGERPRINT),
                HashMapHandle::longs);
    }

    private static List<Role> rounds(int times, Role... roles) {
        return IntStream.range(0, times * roles.length)
                .mapToObj(round -> roles[round % roles.length])
                .toList();
    }

    /** The same scenario with other handles to the map. */
    public HashMapFullScenario of(HashMapScenario.Opener otherOpener) {
        return new HashMapFullScenario(threads, operations, keys, roles, shape, otherOpener);
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        Recorder<MapOperation<Long, Long>, Optional<Long>> recorder = new Recorder<>();
        int remembered = schedule.choices(-1).nextInt(2) * 64;
        new SimulatedCluster(threads, schedule).recordedBy(recorder).run(ct -> {
            SplittableRandom random = schedule.choices(ct.id());
            for (int round = 0; round < roles.size(); round++) {
                long live = ct.id() == 0 ? SegmentUse.liveBytes(ct) : 0;
                if (ct.id() == 0) {
                    ct.root().set(RemoteHashMap.create(shape, ct));
                    fill(round, random.nextBoolean(), recorder, ct);
                }
                ct.barrier();
                HashMapHandle map = opener.open(ct.root().get(), remembered, ct);
                for (int i = 1; i <= operations; i++) {
                    operate(map, round, i, random, recorder, ct);
                }
                ct.barrier();
                ct.reclaimDeferred();
                if (ct.id() == 0) {
                    map.checkedSize(ct);
                    map.destroy(ct);
                    checkMemory(live, roles.get(round) == Role.OLD_VALUES ? 0 : threads - 1, ct);
                }
            }
        });
        new LinearizabilityChecker<>(new MapSpecification<Long, Long>()).judge(recorder.history());
    }

    /** Inserts as many keys as the first bucket holds, and perhaps removes the last one, whose slot stays closed. */
    private void fill(
            int round, boolean removes, Recorder<MapOperation<Long, Long>, Optional<Long>> recorder, ComputeThread ct) {
        HashMapHandle map = HashMapHandle.longs(ct.root().get(), 0, ct);
        for (int key = 0; key < shape.slots(); key++) {
            record(MapOperation.put(key(round, key), 0L), map, recorder, ct);
        }
        if (removes) {
            record(MapOperation.remove(key(round, shape.slots() - 1)), map, recorder, ct);
        }
    }

    private long key(int round, int key) {
        return (long) round * keys + key;
    }

    /** Puts and removals always have an effect, or need no block: so a handle has no block of an entry in reserve. */
    private void operate(
            HashMapHandle map,
            int round,
            int i,
            SplittableRandom random,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        boolean isFirst = ct.id() == 0;
        Role role = roles.get(round);
        int key = random.nextInt(keys);
        boolean removes = random.nextInt(8) < 3;
        if (role == Role.SAME_KEY) {
            key = isFirst ? 0 : keys - 1;
            removes = isFirst ? i % 2 == 1 : i % 2 == 0 && random.nextInt(3) == 0;
        } else if (role == Role.OLD_VALUES) {
            long old = key(round, random.nextInt(shape.slots()));
            record(isFirst ? MapOperation.replace(old, 0L, 1L) : MapOperation.remove(old), map, recorder, ct);
            return;
        } else if (role == Role.WALKS && !isFirst) {
            walk(map, round, ct);
            return;
        } else if (role == Role.OLD_KEYS || role == Role.WALKS) {
            key = isFirst ? keys - i : ct.id() % shape.slots();
            removes = false;
        } else if (random.nextInt(4) == 0) {
            HashMapHandle newcomer = HashMapHandle.longs(ct.root().get(), 0, ct);
            record(MapOperation.get(key(round, key)), newcomer, recorder, ct);
            return;
        }
        long value = (long) i * threads + ct.id();
        record(
                removes ? MapOperation.remove(key(round, key)) : MapOperation.put(key(round, key), value),
                map,
                recorder,
                ct);
    }

    /** Old keys stay, but for the last one, which may have been removed before. */
    private void walk(HashMapHandle map, int round, ComputeThread ct) {
        List<Long> found = new ArrayList<>();
        map.forEach((key, value) -> found.add(key), ct);
        long size = map.size(ct);
        boolean isOnce = found.stream().distinct().count() == found.size();
        boolean isComplete =
                LongStream.range(0, shape.slots() - 1L).allMatch(old -> found.contains((long) round * keys + old));
        if (!isOnce || !isComplete || size < shape.slots() - 1 || size > keys) {
            throw new AssertionError("a walk in round " + round + " has come to keys " + found + " and counts " + size);
        }
    }

    private static void record(
            MapOperation<Long, Long> operation,
            HashMapHandle map,
            Recorder<MapOperation<Long, Long>, Optional<Long>> recorder,
            ComputeThread ct) {
        recorder.record(ct.id(), operation, () -> map.execute(operation, ct));
    }

    private void checkMemory(long before, int handles, ComputeThread ct) {
        long bucket = SegmentLayout.blockBytes(16 + 8L * shape.slots());
        long left = SegmentUse.liveBytes(ct) - before;
        if (left > handles * bucket) {
            throw new AssertionError("the map was destroyed, but " + left + " bytes of it are left; each of " + handles
                    + " other handles may have a bucket of " + bucket + " bytes");
        }
    }
}
