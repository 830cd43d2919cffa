// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import dev.remus.structures.KeyType.LongKey;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What threads see of the map on the lock-free list, and what it costs. */
@Timeout(120)
class LockFreeListMapTest {
    private static RemoteMap<Integer, Long> open(RdmaPtr<LockFreeListMap.Shared> This) {
        return new LockFreeListMap<>(This, KeyType.of(Codecs.INT), Codecs.LONG);
    }

    private static RemoteMap<Integer, Long> make(ComputeThread ct) {
        return open(LockFreeListMap.create(ct));
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void aRandomSequenceOfOperationsAnswersLikeATreeMap(FabricKind fabric) throws Exception {
        ClusterConfig config = TestCluster.config(2, 1, 1).checkMemory(true).build();
        fabric.run(config, ct -> {
            RemoteMap<Integer, Long> map = make(ct);
            TreeMap<Integer, Long> model = new TreeMap<>();
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < 10_000; i++) {
                int key = random.nextInt(-16, 16);
                long value = random.nextInt(3);
                long expected = random.nextInt(3);
                switch (random.nextInt(5)) {
                    case 0 -> assertThat(map.get(key, ct)).isEqualTo(model.get(key));
                    case 1 -> assertThat(map.put(key, value, ct)).isEqualTo(model.put(key, value));
                    case 2 -> assertThat(map.putIfAbsent(key, value, ct)).isEqualTo(model.putIfAbsent(key, value));
                    case 3 -> assertThat(map.remove(key, ct)).isEqualTo(model.remove(key));
                    default ->
                        assertThat(map.replace(key, expected, value, ct))
                                .isEqualTo(model.replace(key, expected, value));
                }
                if (i % 1000 == 0) {
                    assertThat(map.checkedSize(ct)).isEqualTo(model.size());
                    ct.reclaimDeferred();
                }
            }
            map.destroy(ct);
        });
    }

    @Test
    void itCostsTheRoundTripsOfTheClassComment() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(14).build()).run(ct -> {
            RemoteMap<Integer, Long> map = make(ct);
            for (int key = 10; key <= 100; key += 10) {
                map.put(key, (long) key, ct);
            }
            long visited = 5; // keys 10 to 50
            assertThat(roundTrips(ct, () -> map.get(50, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> map.putIfAbsent(50, 1L, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> map.replace(50, 1L, 2L, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> map.put(45, 1L, ct))).isEqualTo(1 + visited + 2);
            assertThat(roundTrips(ct, () -> map.remove(45, ct))).isEqualTo(1 + visited + 2);
            assertThat(roundTrips(ct, () -> map.put(50, 3L, ct))).isEqualTo(1 + visited + 3);
            assertThat(roundTrips(ct, () -> map.replace(50, 3L, 4L, ct))).isEqualTo(1 + visited + 3);
            assertThat(map.get(50, ct)).isEqualTo(4);
            assertThat(ct.reclaimDeferred()).as("each removed or replaced node").isEqualTo(3);
        });
    }

    @Test
    void aWalkPassesAllEntriesInTheOrderOfTheirKeysInOneRoundTripEach() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            LockFreeListMap<Integer, Long> map =
                    new LockFreeListMap<>(LockFreeListMap.create(ct), KeyType.of(Codecs.INT), Codecs.LONG);
            TreeMap<Integer, Long> model = new TreeMap<>();
            for (int key = 9; key >= 0; key--) {
                map.put(key, 100L + key, ct);
                model.put(key, 100L + key);
            }
            List<Integer> keys = new ArrayList<>();
            long trips = roundTrips(
                    ct,
                    () -> map.forEach(
                            (key, value) -> {
                                keys.add(key);
                                assertThat(value).isEqualTo(model.get(key));
                            },
                            ct));
            assertThat(keys).containsExactlyElementsOf(model.keySet());
            assertThat(trips).isEqualTo(1 + model.size());
        });
    }

    @Test
    void keysInABoxComeInBoxesOfTheirOwn() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            LockFreeListMap<LongKey, Long> map =
                    new LockFreeListMap<>(LockFreeListMap.create(ct), KeyType.longs(), Codecs.LONG);
            LongKey box = new LongKey();
            map.put(box.set(5), 50L, ct);
            map.put(box.set(-7), 70L, ct);
            List<LongKey> keys = new ArrayList<>();
            map.forEach((key, value) -> keys.add(key), ct);
            assertThat(keys).extracting(LongKey::get).containsExactly(-7L, 5L);
        });
    }

    @Test
    void valuesMayBeLongerThanAWord() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RemoteMap<UUID, UUID> map =
                    new LockFreeListMap<>(LockFreeListMap.create(ct), KeyType.of(Codecs.UUID), Codecs.UUID);
            UUID key = new UUID(1, 2);
            assertThat(map.put(key, new UUID(3, 4), ct)).isNull();
            assertThat(map.put(key, new UUID(5, 6), ct)).isEqualTo(new UUID(3, 4));
            assertThat(map.replace(key, new UUID(3, 4), key, ct)).isFalse();
            assertThat(map.get(key, ct)).isEqualTo(new UUID(5, 6));
        });
    }

    /** Each thread replaces a value by one that is 1 larger. */
    @Test
    void noReplaceOfEightThreadsIsLost() throws Exception {
        int times = 200;
        AtomicLong last = new AtomicLong();
        TestCluster.of(TestCluster.config(2, 2, 4).checkMemory(true).build()).run(ct -> {
            if (ct.id() == 0) {
                RdmaPtr<LockFreeListMap.Shared> This = LockFreeListMap.create(ct);
                open(This).put(7, 0L, ct);
                ct.root().set(This);
            }
            ct.barrier();
            RemoteMap<Integer, Long> map = open(new RdmaPtr<>(ct.root().get().raw()));
            for (int i = 0; i < times; i++) {
                Long before = map.get(7, ct);
                while (before == null || !map.replace(7, before, before + 1, ct)) {
                    before = map.get(7, ct);
                }
                if (i % 50 == 49) {
                    ct.barrier();
                    ct.reclaimDeferred();
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                Long value = map.get(7, ct);
                last.set(value == null ? -1 : value);
                map.destroy(ct);
            }
        });
        assertThat(last).hasValue(8L * times);
    }
}
