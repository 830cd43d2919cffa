// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.node.ThreadMetrics;
import dev.remus.record.Codecs;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several threads and nodes see of a hash map. */
@Timeout(120)
class RemoteHashMapThreadsTest {
    private static final int OPERATIONS = 6_000;

    private static LongLongMap shared(MapShape shape, ComputeThread ct) {
        if (ct.id() == 0) {
            ct.root().set(LongLongMap.create(shape, ct));
        }
        ct.barrier();
        return new LongLongMap(ct.root().<MapTable>get(), -1, ct);
    }

    /** Random operations, reclaiming now and then; at the end the books must balance. */
    private static void hammer(ClusterConfig config, int slots, int keys) throws Exception {
        AtomicLong count = new AtomicLong();
        AtomicLong sum = new AtomicLong();
        TestCluster.of(config).run(ct -> {
            LongLongMap map = shared(new MapShape(slots, -1), ct);
            long present = 0;
            long balance = 0;
            for (int i = 1; i <= OPERATIONS; i++) {
                long key = ct.random().nextInt(keys);
                long old = -1;
                switch (ct.random().nextInt(4)) {
                    case 0 -> {
                        old = map.put(key, i, ct);
                        present += old == -1 ? 1 : 0;
                        balance += i;
                    }
                    case 1 -> {
                        if (map.putIfAbsent(key, i, ct) == -1) {
                            present++;
                            balance += i;
                        }
                    }
                    case 2 -> {
                        old = map.remove(key, ct);
                        present -= old == -1 ? 0 : 1;
                    }
                    default -> map.get(key, ct);
                }
                balance -= old == -1 ? 0 : old;
                if (i % 500 == 0) {
                    ct.barrier();
                    ct.reclaimDeferred();
                }
            }
            count.addAndGet(present);
            sum.addAndGet(balance);
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(map.checkedSize(ct)).isEqualTo(count.get());
                long[] there = {0};
                map.forEach((key, value) -> there[0] += value, ct);
                assertThat(there[0]).isEqualTo(sum.get());
                map.destroy(ct);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 1_000})
    void eightThreadsBalanceTheirBooks(int keys) throws Exception {
        hammer(TestCluster.config(2, 2, 4).segmentSizeLog2(22).checkMemory(true).build(), 2, keys);
    }

    @Test
    void threeNodesThatAreAllBothBalanceTheirBooks() throws Exception {
        hammer(TestCluster.configOfBoth(3, 2).segmentSizeLog2(22).build(), 30, 5_000);
    }

    /** Each thread reads a part of the keys, and then all of them. */
    @Test
    void aWarmGetIsOneRoundTripForThirtyTwoThreadsOfOneNode() throws Exception {
        int keys = 5_000;
        ClusterConfig config = TestCluster.config(1, 1, 32).segmentSizeLog2(23).build();
        TestCluster.of(config).run(ct -> {
            LongLongMap map = shared(MapShape.DEFAULT, ct);
            for (long key = ct.id(); key < keys; key += ct.threads()) {
                map.put(key, -key, ct);
            }
            ct.barrier();
            for (long key = ct.id(); key < keys; key += ct.threads()) {
                assertThat(map.get(key, ct)).isEqualTo(-key);
            }
            ct.barrier();
            long before = ct.metrics().roundTrips();
            for (long key = 0; key < keys; key++) {
                assertThat(map.get(key, ct)).isEqualTo(-key);
            }
            assertThat((ct.metrics().roundTrips() - before) / (double) keys)
                    .as("round trips of a get")
                    .isBetween(1.0, 1.02);
        });
    }

    /** They change no word that others read, and await none: so none of them can block another one. */
    @Test
    void sixteenReadersOfOneKeyTakeOneReadForEachGetAndNothingElse() throws Exception {
        TestCluster.of(TestCluster.config(1, 2, 8).segmentSizeLog2(22).build()).run(ct -> {
            LongLongMap map = shared(MapShape.DEFAULT, ct);
            if (ct.id() == 0) {
                map.put(1, 10, ct);
            }
            ct.barrier();
            map.get(1, ct);
            ct.barrier();
            ThreadMetrics metrics = ct.metrics();
            long before = metrics.roundTrips();
            long changes = metrics.writes() + metrics.compareAndSwaps() + metrics.fetchAndAdds();
            for (int i = 0; i < OPERATIONS; i++) {
                assertThat(map.get(1, ct)).isEqualTo(10);
            }
            assertThat(metrics.roundTrips() - before).as("round trips").isEqualTo(OPERATIONS);
            assertThat(metrics.writes() + metrics.compareAndSwaps() + metrics.fetchAndAdds())
                    .as("WRITEs and atomics")
                    .isEqualTo(changes);
            ct.barrier();
        });
    }

    @Test
    void aThreadFindsByOneRoundTripWhatAnotherOfItsNodeHasChanged() throws Exception {
        TestCluster.of(TestCluster.config(1, 2, 2).segmentSizeLog2(22).build()).run(ct -> {
            LongLongMap map = shared(MapShape.DEFAULT, ct);
            if (ct.id() == 0) {
                map.put(1, 10, ct);
                map.get(1, ct);
            }
            ct.barrier();
            for (int i = 0; i < 4; i++) {
                if (ct.id() == i % 2) {
                    map.put(1, 11 + i, ct);
                }
                ct.barrier();
                long before = ct.metrics().roundTrips();
                long found = map.get(1, ct);
                long trips = ct.metrics().roundTrips() - before;
                assertThat(found).isEqualTo(11 + i);
                if (ct.nodeId() == 1) {
                    assertThat(trips).as("on the node of the writers").isEqualTo(1);
                } else {
                    assertThat(trips).as("on another node").isBetween(1L, 3L);
                }
                ct.barrier();
            }
        });
    }

    /** Maps of one node with different buckets, which take turns in its frames, on several Memory Nodes. */
    @Test
    void mapsThatTakeTurnsInTheFramesOfANodeStayRight() throws Exception {
        int keys = 300;
        TestCluster.of(TestCluster.config(2, 1, 2)
                        .segmentSizeLog2(22)
                        .checkMemory(true)
                        .build())
                .run(ct -> {
                    LongLongMap one = shared(MapShape.DEFAULT, ct);
                    LongLongMap own = new LongLongMap(LongLongMap.create(new MapShape(3, -1), ct), -1, 60, ct);
                    LongLongMap again = new LongLongMap(ct.root().<MapTable>get(), -1, 60, ct);
                    for (long i = 0; i < OPERATIONS; i++) {
                        long key = ct.random().nextInt(keys) * (long) ct.threads() + ct.id();
                        assertThat(own.put(key, i, ct)).isEqualTo(one.put(key, i, ct));
                        long other = ct.random().nextInt(keys) * (long) ct.threads() + ct.id();
                        assertThat(own.get(other, ct))
                                .isEqualTo(one.get(other, ct))
                                .isEqualTo(again.get(other, ct));
                        if (i % 7 == 0) {
                            assertThat(own.remove(other, ct)).isEqualTo(again.remove(other, ct));
                        }
                        ct.quiescent();
                    }
                    own.destroy(ct);
                    ct.barrier();
                    if (ct.id() == 0) {
                        one.destroy(ct);
                    }
                });
    }

    @Test
    void readersFindEachKeyThatStaysWhileTheMapGrows() throws Exception {
        int staying = 100;
        TestCluster.of(TestCluster.config(2, 2, 2).segmentSizeLog2(22).build()).run(ct -> {
            LongLongMap map = shared(new MapShape(4, -1), ct);
            if (ct.id() == 0) {
                for (long key = 0; key < staying; key++) {
                    map.put(key, key, ct);
                }
            }
            ct.barrier();
            for (int i = 0; i < OPERATIONS; i++) {
                if (ct.id() % 2 == 0) {
                    map.put(staying + (long) i * ct.threads() + ct.id(), i, ct);
                } else {
                    long key = ct.random().nextInt(staying);
                    assertThat(map.get(key, ct)).isEqualTo(key);
                }
            }
            ct.barrier();
            if (ct.id() == 0) {
                assertThat(map.checkedSize(ct)).isEqualTo(staying + 2L * OPERATIONS);
            }
        });
    }

    /** Batches that share keys: whatever each put replaced is counted out again. */
    @ParameterizedTest
    @ValueSource(ints = {2, 30})
    void batchesOfSeveralThreadsBalanceTheirBooks(int slots) throws Exception {
        int keys = 60;
        AtomicLong sum = new AtomicLong();
        TestCluster.of(TestCluster.config(2, 2, 2)
                        .segmentSizeLog2(22)
                        .checkMemory(true)
                        .build())
                .run(ct -> {
                    shared(new MapShape(slots, -1), ct);
                    RemoteHashMap<Long, Long> map = new RemoteHashMap<>(
                            ct.root().<MapTable>get(), Encoding.of(Codecs.LONG), Encoding.of(Codecs.LONG), ct);
                    long balance = 0;
                    for (int i = 1; i <= OPERATIONS / 20; i++) {
                        Map<Long, Long> batch = new HashMap<>();
                        for (int k = 0; k < 15; k++) {
                            batch.put((long) ct.random().nextInt(keys), (long) i * k);
                        }
                        balance += sum(batch.values());
                        balance -= sum(map.putAll(batch, ct).values());
                        Long removed = map.remove((long) ct.random().nextInt(keys), ct);
                        balance -= removed == null ? 0 : removed;
                        if (i % 50 == 0) {
                            ct.barrier();
                            ct.reclaimDeferred();
                        }
                    }
                    sum.addAndGet(balance);
                    ct.barrier();
                    if (ct.id() == 0) {
                        Map<Long, Long> found = new HashMap<>();
                        map.forEach(found::put, ct);
                        assertThat(map.checkedSize(ct)).isEqualTo(found.size());
                        assertThat(sum(found.values())).isEqualTo(sum.get());
                        map.destroy(ct);
                    }
                });
    }

    private static long sum(Collection<Long> values) {
        return values.stream().mapToLong(value -> value).sum();
    }
}
