// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.SegmentUse;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hash map, one thread at a time. */
@Tag("oldest-jdk")
@Timeout(120)
class RemoteHashMapTest {
    private static void run(int memoryNodes, ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(memoryNodes, 1, 1)
                        .segmentSizeLog2(22)
                        .checkMemory(true)
                        .build())
                .run(body);
    }

    private static RemoteHashMap<String, String> texts(RdmaPtr<MapTable> This, int rememberedSlots, ComputeThread ct) {
        return new RemoteHashMap<>(This, Encoding.strings(), Encoding.strings(), rememberedSlots, ct);
    }

    @ParameterizedTest
    @CsvSource({"30, -1, 0", "30, -1, 256", "3, -1, 256", "2, -1, 0", "2, 281474976710655, 64", "30, 31, 64"})
    void itAnswersLikeAMapOnTheHeap(int slots, long hashMask, int rememberedSlots) throws Exception {
        run(2, ct -> {
            RdmaPtr<MapTable> This = RemoteHashMap.create(new MapShape(slots, hashMask), ct);
            RemoteHashMap<String, String> map = texts(This, rememberedSlots, ct);
            Map<String, String> model = new HashMap<>();
            for (int i = 0; i < 20_000; i++) {
                String key = "k" + ct.random().nextInt(i / 5_000 % 2 == 0 ? 300 : 3_000);
                String value = "v".repeat(ct.random().nextInt(200)) + i;
                String old = model.getOrDefault(key, "none");
                switch (ct.random().nextInt(i / 5_000 % 2 == 0 ? 9 : 12)) {
                    case 0, 9, 10, 11 -> assertThat(map.put(key, value, ct)).isEqualTo(model.put(key, value));
                    case 1 -> assertThat(map.putIfAbsent(key, value, ct)).isEqualTo(model.putIfAbsent(key, value));
                    case 2 -> assertThat(map.replace(key, value, ct)).isEqualTo(model.replace(key, value));
                    case 3 -> assertThat(map.replace(key, old, value, ct)).isEqualTo(model.replace(key, old, value));
                    case 4 -> assertThat(map.replace(key, "other", value, ct)).isFalse();
                    case 5 -> assertThat(map.remove(key, ct)).isEqualTo(model.remove(key));
                    case 6 -> assertThat(map.remove(key, old, ct)).isEqualTo(model.remove(key, old));
                    case 7 ->
                        assertThat(map.compute(key, (k, v) -> v == null ? k : v.length() > 99 ? null : v + v, ct))
                                .isEqualTo(
                                        model.compute(key, (k, v) -> v == null ? k : v.length() > 99 ? null : v + v));
                    default -> assertThat(map.get(key, ct)).isEqualTo(model.get(key));
                }
                if (i % 500 == 0) {
                    assertThat(map.checkedSize(ct)).isEqualTo(model.size());
                    ct.reclaimDeferred();
                }
                if (slots == 30 && hashMask == 31 && model.size() > 400) { // or they would not fit into 32 buckets
                    model.keySet().forEach(k -> map.remove(k, ct));
                    model.clear();
                }
            }
            assertThat(map.size(ct)).isEqualTo(model.size());
            assertThat(texts(This, 0, ct).getAll(model.keySet(), ct)).isEqualTo(model);
            Map<String, String> all = new HashMap<>();
            map.forEach((k, v) -> assertThat(all.put(k, v)).isNull(), ct);
            assertThat(all).isEqualTo(model);
            map.clear(ct);
            assertThat(map.size(ct)).isZero();
            assertThat(map.checkedSize(ct)).isZero();
            map.destroy(ct);
        });
    }

    @Test
    void keysAndValuesMayHaveAnySize() throws Exception {
        run(2, ct -> {
            RdmaPtr<MapTable> This = RemoteHashMap.create(ct);
            RemoteHashMap<byte[], byte[]> map = new RemoteHashMap<>(This, Encoding.arrays(), Encoding.arrays(), ct);
            int[] sizes = {0, 1, 7, 8, 9, 40, 47, 48, 49, 1_900, 1_920, 2_000, 5_000, 100_000};
            for (int round = 0; round < 2; round++) {
                for (int keyBytes : sizes) {
                    for (int valueBytes : sizes) {
                        map.put(new byte[keyBytes], new byte[valueBytes], ct);
                        assertThat(map.get(new byte[keyBytes], ct)).hasSize(valueBytes);
                    }
                }
                ct.reclaimDeferred();
            }
            assertThat(map.size(ct)).isEqualTo(sizes.length);
            assertThat(map.getAll(List.of(new byte[5_000], new byte[6]), ct)).hasSize(1);
            map.destroy(ct);
        });
    }

    @Test
    void integersNeedNoBoxes() throws Exception {
        run(2, ct -> {
            LongLongMap map = new LongLongMap(LongLongMap.create(ct), -1, ct);
            for (long key = 0; key < 2_000; key++) {
                assertThat(map.put(key, key * key, ct)).isEqualTo(-1);
            }
            for (long key = 0; key < 2_000; key++) {
                assertThat(map.get(key, ct)).isEqualTo(key * key);
                assertThat(map.putIfAbsent(key, 5, ct)).isEqualTo(key * key);
                assertThat(map.replace(key, key * key, key, ct)).isTrue();
                assertThat(map.remove(key, key + 1, ct)).isFalse();
                assertThat(map.contains(key, ct)).isTrue();
            }
            TreeSet<Long> seen = new TreeSet<>();
            map.forEach(
                    (key, value) -> assertThat(seen.add(key) && key == value).isTrue(), ct);
            assertThat(seen).hasSize(2_000);
            assertThat(map.size(ct)).isEqualTo(2_000);
            assertThat(map.remove(7, ct)).isEqualTo(7);
            assertThat(map.get(7, ct)).isEqualTo(-1);
            map.clear(ct);
            assertThat(map.checkedSize(ct)).isZero();
            map.destroy(ct);
        });
    }

    @Test
    void aHandleFindsWhatAnotherHasAddedWhileTheMapGrew() throws Exception {
        run(3, ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(new MapShape(4, -1), ct);
            LongLongMap writer = new LongLongMap(This, -1, 0, ct);
            LongLongMap reader = new LongLongMap(This, -1, 0, ct);
            for (long key = 0; key < 3_000; key++) {
                writer.put(key, key, ct);
                if (key % 100 == 0) {
                    assertThat(reader.get(key, ct)).isEqualTo(key);
                }
            }
            for (long key = 0; key < 3_000; key++) {
                assertThat(reader.get(key, ct)).isEqualTo(key);
            }
            LongLongMap late = new LongLongMap(This, -1, 0, ct); // READs the directory
            long before = ct.metrics().roundTrips();
            for (long key = 0; key < 3_000; key++) {
                assertThat(late.get(key, ct)).isEqualTo(key);
            }
            assertThat(ct.metrics().roundTrips() - before).isBetween(6_000L, 6_100L);
        });
    }

    @Test
    void bucketsAreFullBeforeTheyAreSplitAndAnEntryTakesAsMuchAsTheClassCommentStates() throws Exception {
        run(1, ct -> {
            LongLongMap map = new LongLongMap(LongLongMap.create(ct), -1, 0, ct);
            for (long key = 0; key < MapWords.MAX_SLOTS; key++) {
                map.put(key, key, ct);
            }
            long before = ct.metrics().roundTrips();
            map.size(ct);
            assertThat(ct.metrics().roundTrips() - before).as("one bucket").isEqualTo(1);
            long used = used(ct);
            for (long key = MapWords.MAX_SLOTS; key < 30_000; key++) {
                map.put(key, key, ct);
            }
            assertThat((used(ct) - used) / 30_000.0).isBetween(70.0, 80.0);
        });
    }

    @Test
    void aDestroyedMapLeavesNoBlock() throws Exception {
        run(2, ct -> {
            long before = SegmentUse.liveBytes(ct);
            LongLongMap map = new LongLongMap(LongLongMap.create(new MapShape(4, -1), ct), -1, ct);
            for (long key = 0; key < 1_000; key++) {
                map.put(key, key, ct);
            }
            for (long key = 0; key < 500; key++) {
                map.remove(key, ct);
            }
            assertThat(SegmentUse.liveBytes(ct) - before)
                    .as("500 entries, and buckets")
                    .isGreaterThan(500 * 64);
            map.destroy(ct);
            assertThat(SegmentUse.liveBytes(ct)).isEqualTo(before);
        });
    }

    @Test
    void liveBlocksAreCountedOnlyIfMemoryIsChecked() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).checkMemory(false).build())
                .run(ct -> assertThatThrownBy(() -> SegmentUse.liveBytes(ct))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("--check-memory"));
    }

    private static long used(ComputeThread ct) {
        return SegmentUse.of(ct).stream().mapToLong(SegmentUse::used).sum();
    }

    @Test
    void moreKeysOfOneHashThanABucketHoldsAreRefused() throws Exception {
        run(1, ct -> {
            LongLongMap map = new LongLongMap(LongLongMap.create(new MapShape(3, 0), ct), -1, ct);
            for (long key = 0; key < 3; key++) {
                map.put(key, key, ct);
            }
            assertThatThrownBy(() -> map.put(3, 3, ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("more than 3 keys have the same hash");
            assertThat(map.get(2, ct)).isEqualTo(2);
            assertThat(map.remove(2, ct)).isEqualTo(2);
            assertThat(map.put(3, 3, ct)).isEqualTo(-1);
            assertThat(map.checkedSize(ct)).isEqualTo(3);
        });
    }

    @Test
    void aPointerToSomethingElseIsRefused() throws Exception {
        run(1, ct -> {
            long block = ct.allocate(512);
            ct.write(block, 5);
            assertThatThrownBy(() -> new LongLongMap(new RdmaPtr<>(block), -1, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there is no hash map");
        });
    }

    // ------------------------------------------------------------------------------------------------ costs

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    /** A map with a few entries, and free blocks for more. */
    private static LongLongMap small(int rememberedSlots, ComputeThread ct) {
        LongLongMap map = new LongLongMap(LongLongMap.create(ct), -1, rememberedSlots, ct);
        for (long key = 0; key < 20; key++) {
            map.put(key, key, ct);
        }
        for (long key = 10; key < 20; key++) {
            map.remove(key, ct);
        }
        ct.reclaimDeferred();
        return map;
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void itCostsTheRoundTripsOfTheClassComment(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).build(), ct -> {
            LongLongMap map = small(0, ct);
            assertThat(roundTrips(ct, () -> map.get(1, ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> map.get(100, ct))).as("missing").isEqualTo(1);
            assertThat(roundTrips(ct, () -> map.put(100, 1, ct))).as("new").isEqualTo(2);
            assertThat(roundTrips(ct, () -> map.put(100, 2, ct))).as("update").isEqualTo(3);
            assertThat(roundTrips(ct, () -> map.putIfAbsent(100, 2, ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> map.replace(100, 2, 3, ct))).isEqualTo(3);
            assertThat(roundTrips(ct, () -> map.remove(100, ct))).isEqualTo(3);
            assertThat(roundTrips(ct, () -> map.remove(100, ct))).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void withARememberedSlotAGetIsOneRoundTripAndAChangeTwo(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).build(), ct -> {
            LongLongMap map = small(64, ct);
            assertThat(roundTrips(ct, () -> map.get(1, ct))).isEqualTo(1);
            assertThat(roundTrips(ct, () -> map.put(1, 5, ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> map.put(1, 6, ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> map.remove(1, ct))).isEqualTo(2);
            assertThat(roundTrips(ct, () -> map.put(1, 7, ct))).isBetween(2L, 3L);
            assertThat(map.get(1, ct)).isEqualTo(7);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void aChangeByAnotherNodeCostsARememberedSlotOneRoundTripMore(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).build(), ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(ct);
            LongLongMap map = new LongLongMap(This, -1, 64, ct);
            LongLongMap ofAnotherNode = new LongLongMap(This, -1, 128, ct); // shares nothing with the first
            for (long key = 0; key < 4; key++) {
                map.put(key, key, ct);
                ofAnotherNode.get(key, ct);
            }
            ofAnotherNode.put(1, 10, ct);
            assertThat(roundTrips(ct, () -> assertThat(map.get(1, ct)).isEqualTo(10)))
                    .isEqualTo(2);
            assertThat(roundTrips(ct, () -> map.get(1, ct))).isEqualTo(1);
            ofAnotherNode.remove(2, ct);
            assertThat(roundTrips(ct, () -> assertThat(map.get(2, ct)).isEqualTo(-1)))
                    .as("gone: the bucket is READ")
                    .isEqualTo(2);
        });
    }

    /** A handle remembers the whole bucket that it has READ. */
    @Test
    void afterOneGetAllKeysOfTheSameBucketAreRemembered() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(ct);
            LongLongMap cold = new LongLongMap(This, -1, 0, ct);
            for (long key = 0; key < 20; key++) {
                cold.put(key, key, ct);
            }
            LongLongMap map = new LongLongMap(This, -1, 64, ct);
            assertThat(roundTrips(ct, () -> map.get(7, ct))).isEqualTo(2);
            long trips = roundTrips(ct, () -> {
                for (long key = 0; key < 20; key++) {
                    assertThat(map.get(key, ct)).isEqualTo(key);
                }
            });
            assertThat(trips).isBetween(20L, 22L); // two keys may have the same fingerprint
        });
    }

    /** The least of some rounds: now and then the virtual machine allocates something. */
    @Test
    void operationsOnIntegersAllocateNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            long self = Thread.currentThread().getId();
            for (int rememberedSlots : new int[] {0, 64}) {
                LongLongMap map = small(rememberedSlots, ct);
                long least = Long.MAX_VALUE;
                for (int round = 0; round < 20; round++) {
                    long before = threads.getThreadAllocatedBytes(self);
                    for (int i = 0; i < 1_000; i++) {
                        long key = i % 16;
                        map.put(key, i, ct);
                        map.get(key, ct);
                        map.putIfAbsent(key, i, ct);
                        map.replace(key, i, i + 1, ct);
                        map.remove(key, ct);
                        map.put(key, i, ct);
                        ct.reclaimDeferred();
                    }
                    least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
                }
                assertThat(least).as("bytes for 6,000 operations").isLessThan(1_000);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 100, 1_000})
    void aGetInABatchOfSixteenIsAnEighthOfARoundTrip(int keys) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            RdmaPtr<MapTable> This = LongLongMap.create(ct);
            LongLongMap map = new LongLongMap(This, -1, 0, ct);
            for (long key = 0; key < keys; key++) {
                map.put(key, 3 * key, ct);
            }
            RemoteHashMap<Long, Long> boxed =
                    new RemoteHashMap<>(This, Encoding.of(Codecs.LONG), Encoding.of(Codecs.LONG), 0, ct);
            List<Long> sought =
                    new ArrayList<>(LongStream.range(0, keys).boxed().toList());
            Map<Long, Long> found = new HashMap<>();
            long trips = roundTrips(ct, () -> found.putAll(boxed.getAll(sought, ct)));
            assertThat(found)
                    .hasSize(keys)
                    .allSatisfy((key, value) -> assertThat(value).isEqualTo(3 * key));
            assertThat(trips / (double) keys).isLessThanOrEqualTo(0.25);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000})
    void aPutInABatchOfTenIsATenthOfThreeRoundTripsAndWhatItsBlockTakes(int keys) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).segmentSizeLog2(22).build()).run(ct -> {
            RemoteHashMap<Long, Long> map = new RemoteHashMap<>(
                    RemoteHashMap.create(ct), Encoding.of(Codecs.LONG), Encoding.of(Codecs.LONG), 0, ct);
            Map<Long, Long> first = new HashMap<>();
            Map<Long, Long> second = new HashMap<>();
            for (long key = 0; key < keys; key++) {
                first.put(key, 3 * key);
                second.put(key, 5 * key);
            }
            assertThat(map.putAll(first, ct)).isEmpty();
            assertThat(map.putAll(second, ct)).isEqualTo(first);
            Map<Long, Long> old = new HashMap<>();
            long allocations = ct.metrics().fetchAndAdds();
            long trips = roundTrips(ct, () -> old.putAll(map.putAll(first, ct)));
            trips -= ct.metrics().fetchAndAdds() - allocations;
            assertThat(old).isEqualTo(second);
            assertThat(trips / (double) keys).as("allocation aside").isLessThanOrEqualTo(0.4);
            assertThat(map.getAll(first.keySet(), ct)).isEqualTo(first);
            assertThat(map.checkedSize(ct)).isEqualTo(keys);
            map.destroy(ct);
        });
    }
}
