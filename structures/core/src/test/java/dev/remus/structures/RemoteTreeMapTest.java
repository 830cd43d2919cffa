// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeNode;
import dev.remus.node.ComputeThread;
import dev.remus.node.SegmentUse;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ordered map with values in blocks, one thread at a time. */
@Tag("oldest-jdk")
@Timeout(120)
class RemoteTreeMapTest {
    private static void run(ComputeNode.Body body) throws Exception {
        run(2, body);
    }

    private static void run(int memoryNodes, ComputeNode.Body body) throws Exception {
        TestCluster.of(TestCluster.config(memoryNodes, 1, 1)
                        .segmentSizeLog2(22)
                        .checkMemory(true)
                        .build())
                .run(body);
    }

    private static RemoteTreeMap<String, String> texts(RdmaPtr<TreeTable> This, int most, ComputeThread ct) {
        return new RemoteTreeMap<>(This, OrderedCodec.strings(most), Encoding.strings(), ct);
    }

    /**
     * Keys that begin alike, so that only later words differ, and some of which are others with more behind: letters,
     * or zeros.
     */
    private static String key(int most, SplittableRandom random) {
        String begin = "a common beginning of all keys that goes on and on".substring(0, Math.min(most - 4, 40));
        return switch (random.nextInt(20)) {
            case 0 -> begin.substring(0, random.nextInt(begin.length() + 1));
            case 1 -> begin + "\0".repeat(random.nextInt(5));
            default -> begin + random.nextInt(300);
        };
    }

    @ParameterizedTest
    @CsvSource({"2, 7", "4, 7", "41, 7", "2, 23", "4, 17", "19, 30", "16, 255"})
    void itAnswersLikeATreeMapOnTheHeap(int entries, int most) throws Exception {
        run(ct -> {
            OrderedCodec<String> keys = OrderedCodec.strings(most);
            RdmaPtr<TreeTable> This = RemoteTreeMap.create(keys, new TreeShape(entries), ct);
            RemoteTreeMap<String, String> map = texts(This, most, ct);
            NavigableMap<String, String> model = new TreeMap<>();
            SplittableRandom random = ct.random();
            for (int i = 0; i < 4_000; i++) {
                String key = key(most, random);
                String value = "v".repeat(random.nextInt(100)) + i;
                String old = model.getOrDefault(key, "none");
                switch (random.nextInt(9)) {
                    case 0, 1 -> assertThat(map.put(key, value, ct)).isEqualTo(model.put(key, value));
                    case 2 -> assertThat(map.putIfAbsent(key, value, ct)).isEqualTo(model.putIfAbsent(key, value));
                    case 3 -> assertThat(map.replace(key, old, value, ct)).isEqualTo(model.replace(key, old, value));
                    case 4 -> assertThat(map.replace(key, "other", value, ct)).isFalse();
                    case 5 -> assertThat(map.remove(key, ct)).isEqualTo(model.remove(key));
                    case 6 -> assertThat(map.ceiling(key, ct)).isEqualTo(model.ceilingEntry(key));
                    case 7 -> assertThat(map.floor(key, ct)).isEqualTo(model.floorEntry(key));
                    default -> assertThat(map.get(key, ct)).isEqualTo(model.get(key));
                }
                if (i % 200 == 0) {
                    assertThat(map.checkedSize(ct)).isEqualTo(model.size());
                    assertThat(map.first(ct)).isEqualTo(model.firstEntry());
                    assertThat(map.last(ct)).isEqualTo(model.lastEntry());
                    ct.reclaimDeferred();
                }
            }
            String from = model.ceilingKey(key(most, random));
            from = from == null ? "" : from;
            assertThat(scanned(map, from, "z", 1_000, ct))
                    .isEqualTo(List.copyOf(model.tailMap(from, true).entrySet()));
            List<Map.Entry<String, String>> snapshot = new ArrayList<>();
            map.scanSnapshot("", from, 1_000, (key, value) -> snapshot.add(Map.entry(key, value)), ct);
            assertThat(snapshot).isEqualTo(List.copyOf(model.headMap(from, true).entrySet()));
            assertThat(scanned(texts(This, most, ct), "", "z", 10, ct))
                    .isEqualTo(List.copyOf(model.entrySet()).subList(0, 10));
            List<Map.Entry<String, String>> down = new ArrayList<>();
            map.scanDown("z", "", 20, (key, value) -> down.add(Map.entry(key, value)), ct);
            assertThat(down)
                    .isEqualTo(List.copyOf(model.descendingMap().entrySet()).subList(0, 20));
            assertThat(map.clear(ct)).isEqualTo(model.size());
            assertThat(map.checkedSize(ct)).isZero();
            assertThat(map.first(ct)).isNull();
            map.destroy(ct);
        });
    }

    private static List<Map.Entry<String, String>> scanned(
            RemoteTreeMap<String, String> map, String from, String to, long limit, ComputeThread ct) {
        List<Map.Entry<String, String>> entries = new ArrayList<>();
        long count = map.scan(from, to, limit, (key, value) -> entries.add(Map.entry(key, value)), ct);
        assertThat(count).isEqualTo(entries.size());
        return entries;
    }

    private static long used(ComputeThread ct) {
        ct.reclaimDeferred();
        return SegmentUse.of(ct).stream().mapToLong(SegmentUse::used).sum();
    }

    private static void useValuesOfEachSize(ComputeThread ct) {
        RemoteTreeMap<Integer, byte[]> map = new RemoteTreeMap<>(
                RemoteTreeMap.create(OrderedCodec.ints(), ct), OrderedCodec.ints(), Encoding.arrays(), ct);
        for (int key = -40; key < 40; key++) {
            byte[] value = new byte[(key + 40) * 130];
            Arrays.fill(value, (byte) key);
            assertThat(map.put(key, new byte[1], ct)).isNull();
            assertThat(map.put(key, value, ct)).hasSize(1);
            assertThat(map.get(key, ct)).isEqualTo(value);
        }
        List<Integer> keys = new ArrayList<>();
        map.forEach(
                (key, value) -> {
                    assertThat(value).hasSize((key + 40) * 130);
                    keys.add(key);
                },
                ct);
        assertThat(keys).hasSize(80).isSorted();
        map.destroy(ct);
        ct.reclaimDeferred();
    }

    @Test
    void destroyGivesAllMemoryBackAfterValuesOfEachSize() throws Exception {
        run(1, ct -> {
            useValuesOfEachSize(ct);
            useValuesOfEachSize(ct);
            long before = used(ct);
            for (int i = 0; i < 5; i++) {
                useValuesOfEachSize(ct);
            }
            assertThat(used(ct)).isEqualTo(before);
        });
    }

    @Test
    void aBulkLoadThatIsRefusedLosesNoMemory() throws Exception {
        run(1, ct -> {
            NavigableMap<Long, String> entries = new TreeMap<>();
            for (long key = 0; key < 1_000; key++) {
                entries.put(key * 3 - 700, "value " + key);
            }
            RemoteTreeMap<Long, String> map = new RemoteTreeMap<>(
                    RemoteTreeMap.create(OrderedCodec.longs(), ct), OrderedCodec.longs(), Encoding.strings(), ct);
            assertThat(map.bulkLoad(entries, ct)).isEqualTo(1_000);
            assertThat(map.checkedSize(ct)).isEqualTo(1_000);
            assertThat(map.get(-700L, ct)).isEqualTo("value 0");
            assertThatThrownBy(() -> map.bulkLoad(entries, ct)).isInstanceOf(IllegalStateException.class);
            long before = used(ct);
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> map.bulkLoad(entries, ct)).isInstanceOf(IllegalStateException.class);
            }
            assertThat(used(ct)).isEqualTo(before);
            map.destroy(ct);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 40, 255})
    void aGetTakesTwoRoundTripsAndAScanReadsItsBlocksTogether(int most) throws Exception {
        run(ct -> {
            RemoteTreeMap<String, String> map = texts(RemoteTreeMap.create(OrderedCodec.strings(most), ct), most, ct);
            for (int key = 0; key < 16; key++) {
                map.put("key " + key, "some value of " + key, ct);
            }
            map.get("key 0", ct);
            long before = ct.metrics().roundTrips();
            map.get("key 7", ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(2);
            before = ct.metrics().roundTrips();
            assertThat(map.scan("", "z", 16, (key, value) -> {}, ct)).isEqualTo(16);
            assertThat(ct.metrics().roundTrips() - before)
                    .isLessThanOrEqualTo(1 + 16 / ct.config().opsPerThread());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 12, 70})
    void aScanPassesKeysOnInTheOrderOfTheirBytes(int most) throws Exception {
        run(ct -> {
            OrderedCodec<byte[]> keys = OrderedCodec.arrays(most);
            RemoteTreeMap<byte[], Long> map = new RemoteTreeMap<>(
                    RemoteTreeMap.create(keys, new TreeShape(3), ct), keys, Encoding.of(Codecs.LONG), ct);
            TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
            for (long i = 0; i < 1_000; i++) {
                byte[] key = new byte[ct.random().nextInt(most + 1)]; // zeros, and one other byte
                if (key.length > 0) {
                    key[ct.random().nextInt(key.length)] = (byte) (ct.random().nextInt(5) - 2);
                }
                map.put(key, i, ct);
                model.put(key, i);
            }
            List<byte[]> passed = new ArrayList<>();
            map.forEach((key, value) -> passed.add(key), ct);
            assertThat(passed).usingElementComparator(Arrays::compareUnsigned).isEqualTo(List.copyOf(model.keySet()));
            model.forEach((key, value) -> assertThat(map.get(key, ct)).isEqualTo(value));
            assertThat(map.clear(ct)).isEqualTo(model.size());
            map.destroy(ct);
        });
    }

    @Test
    void keysAreInTheOrderOfTheirBytes() {
        inOrder(OrderedCodec.longs(), List.of(Long.MIN_VALUE, -2L, -1L, 0L, 1L, Long.MAX_VALUE));
        inOrder(OrderedCodec.ints(), List.of(Integer.MIN_VALUE, -1, 0, 1, 256, Integer.MAX_VALUE));
        inOrder(
                OrderedCodec.doubles(),
                List.of(Double.NEGATIVE_INFINITY, -1e300, -1.0, -0.0, 0.0, 1e-300, 1.5, Double.MAX_VALUE, Double.NaN));
        inOrder(OrderedCodec.strings(7), List.of("", "\0", "\0\0", "a", "a\0", "ab", "b", "ü", "€", "中even"));
        assertThatThrownBy(() -> OrderedCodec.strings(3).encode("four", ByteBuffer.allocate(8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a key of 4 bytes: at most 3 fit");
        assertThatThrownBy(() -> OrderedCodec.arrays(0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static <K> void inOrder(OrderedCodec<K> codec, List<K> ascending) {
        List<byte[]> encoded = new ArrayList<>();
        for (K key : ascending) {
            ByteBuffer bytes = ByteBuffer.allocate(codec.bytes());
            codec.encode(key, bytes);
            assertThat(bytes.remaining()).isZero();
            assertThat(codec.decode(bytes.flip())).isEqualTo(key);
            encoded.add(bytes.array());
        }
        List<byte[]> sorted = new ArrayList<>(encoded);
        Collections.shuffle(sorted, new Random(1));
        sorted.sort(Arrays::compareUnsigned);
        assertThat(sorted).usingElementComparator(Arrays::compareUnsigned).isEqualTo(encoded);
    }

    @Test
    void aMapIsOpenedWithKeysOfTheLengthForWhichItWasMadeOnly() throws Exception {
        run(ct -> {
            RdmaPtr<TreeTable> This = RemoteTreeMap.create(OrderedCodec.strings(20), ct);
            for (OrderedCodec<String> other : List.of(OrderedCodec.strings(7), OrderedCodec.strings(24))) {
                assertThatThrownBy(() -> new RemoteTreeMap<>(This, other, Encoding.of(Codecs.LONG), ct))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageMatching("the ordered map at \\(node .*\\) was made for keys of 17 to 24 bytes, "
                                + "not for keys of (1 to 8|25 to 32) bytes");
            }
            assertThatThrownBy(() -> new LongLongTree(This, 0, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("made for keys of 17 to 24 bytes, not for keys of 1 to 8 bytes");
            OrderedCodec<byte[]> tooLong = longArrays(257);
            assertThatThrownBy(() -> RemoteTreeMap.create(tooLong, ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("keys of 257 bytes: an ordered map takes 1 to 256");
            assertThatThrownBy(() -> new RemoteTreeMap<>(This, tooLong, Encoding.arrays(), ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("keys of 257 bytes: an ordered map takes 1 to 256");
        });
    }

    private static OrderedCodec<byte[]> longArrays(int bytes) {
        return new OrderedCodec<>() {
            @Override
            public int bytes() {
                return bytes;
            }

            @Override
            public void encode(byte[] key, ByteBuffer to) {
                to.put(key);
            }

            @Override
            public byte[] decode(ByteBuffer from) {
                byte[] key = new byte[bytes];
                from.get(key);
                return key;
            }
        };
    }
}
