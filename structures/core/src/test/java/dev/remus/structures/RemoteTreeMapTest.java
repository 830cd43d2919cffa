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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ordered map with values in blocks, one thread at a time. */
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

    private static RemoteTreeMap<String, String> texts(RdmaPtr<TreeTable> This, ComputeThread ct) {
        return new RemoteTreeMap<>(This, OrderedCodec.strings(7), Encoding.strings(), ct);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 41})
    void itAnswersLikeATreeMapOnTheHeap(int entries) throws Exception {
        run(ct -> {
            RdmaPtr<TreeTable> This = RemoteTreeMap.create(new TreeShape(entries), ct);
            RemoteTreeMap<String, String> map = texts(This, ct);
            NavigableMap<String, String> model = new TreeMap<>();
            SplittableRandom random = ct.random();
            for (int i = 0; i < 4_000; i++) {
                String key = "k" + random.nextInt(300);
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
            assertThat(scanned(map, "k1", "k2", 1_000, ct))
                    .isEqualTo(List.copyOf(model.subMap("k1", true, "k2", true).entrySet()));
            assertThat(scanned(texts(This, ct), "", "z", 10, ct))
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
        RemoteTreeMap<Integer, byte[]> map =
                new RemoteTreeMap<>(RemoteTreeMap.create(ct), OrderedCodec.ints(), Encoding.arrays(), ct);
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
            RemoteTreeMap<Long, String> map =
                    new RemoteTreeMap<>(RemoteTreeMap.create(ct), OrderedCodec.longs(), Encoding.strings(), ct);
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

    @Test
    void aGetTakesTwoRoundTripsAndAScanReadsItsBlocksTogether() throws Exception {
        run(ct -> {
            RemoteTreeMap<Integer, String> map =
                    new RemoteTreeMap<>(RemoteTreeMap.create(ct), OrderedCodec.ints(), Encoding.strings(), ct);
            for (int key = 0; key < 16; key++) {
                map.put(key, "some value of " + key, ct);
            }
            map.get(0, ct);
            long before = ct.metrics().roundTrips();
            map.get(7, ct);
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(2);
            before = ct.metrics().roundTrips();
            assertThat(map.scan(0, 15, 16, (key, value) -> {}, ct)).isEqualTo(16);
            assertThat(ct.metrics().roundTrips() - before)
                    .isLessThanOrEqualTo(1 + 16 / ct.config().opsPerThread());
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
    void longerKeysAreRefused() throws Exception {
        run(ct -> {
            RdmaPtr<TreeTable> This = RemoteTreeMap.create(ct);
            assertThatThrownBy(() -> new RemoteTreeMap<>(This, OrderedCodec.strings(8), Encoding.of(Codecs.LONG), ct))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("keys of 9 bytes: an ordered map takes 1 to 8");
        });
    }
}
