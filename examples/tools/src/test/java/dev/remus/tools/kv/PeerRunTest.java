// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.kv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.remus.cli.progress.Progress;
import dev.remus.node.TestCluster;
import dev.remus.tools.harness.RunLength;
import dev.remus.tools.kv.KeyChoice.Distribution;
import dev.remus.tools.peer.PeerServer;
import dev.remus.tools.peer.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@Tag("any-jdk")
class PeerRunTest {
    private static KvWorkload workload(int valueBytes) {
        return workload(KvMap.HASH, valueBytes, new KvMix(20, 20, 20, 20));
    }

    private static KvWorkload workload(KvMap map, int valueBytes, KvMix mix) {
        return new KvWorkload(
                RunLength.ofOperations(300),
                10_000_000,
                map,
                100,
                valueBytes,
                mix,
                20,
                new KeyChoice(Distribution.ZIPFIAN, 0.99, 20, 80),
                0,
                7,
                true);
    }

    private static double run(KvPeer peer, KvWorkload workload) throws Exception {
        return run(peer, workload, new Progress());
    }

    private static double run(KvPeer peer, KvWorkload workload, Progress progress) throws Exception {
        AtomicReference<Double> throughput = new AtomicReference<>();
        TestCluster.of(TestCluster.config(1, 1, 1).build())
                .run(ct -> throughput.set(new PeerRun(workload, 3, "peer", progress).run(peer, ct)));
        return throughput.get();
    }

    @Test
    void theProgressOfTheLoadTheWarmUpAndTheRunIsShownWhileTheyLast() throws Exception {
        Progress progress = new Progress();
        Map<String, Long> done = new ConcurrentHashMap<>();
        KvPeer watched = new KvPeer() {
            private final HeapPeer map = new HeapPeer(KvMap.HASH);

            @Override
            public KvStore connect() {
                KvStore store = map.connect();
                return new KvStore() {
                    @Override
                    public long get(long key) {
                        look();
                        return store.get(key);
                    }

                    @Override
                    public long put(long key, long value) {
                        look();
                        return store.put(key, value);
                    }

                    @Override
                    public boolean replace(long key, long expected, long value) {
                        return store.replace(key, expected, value);
                    }

                    @Override
                    public long remove(long key) {
                        return store.remove(key);
                    }
                };
            }

            private void look() {
                Progress.Phase phase = progress.current().orElseThrow();
                done.merge(phase.name(), phase.done(), Math::max);
            }

            @Override
            public KvFound count() {
                return map.count();
            }

            @Override
            public void close() {
                map.close();
            }
        };
        run(watched, workload(8), progress);
        assertThat(done).containsOnlyKeys("peer-load", "peer-warm-up", "peer");
        assertThat(done).containsEntry("peer-load", 99L); // of 100 records, as the last one is put
        assertThat(done.get("peer-warm-up")).isPositive();
        assertThat(done.get("peer")).isPositive();
    }

    @Test
    void allKindsOfOperationsBalanceOnTheHeap() throws Exception {
        try (HeapPeer peer = new HeapPeer(KvMap.HASH)) {
            assertThat(run(peer, workload(8))).isPositive();
            assertThat(peer.count().keys()).isPositive();
        }
    }

    @Test
    void allKindsOfOperationsWithScansBalanceOnTheHeap() throws Exception {
        try (HeapPeer peer = new HeapPeer(KvMap.TREE)) {
            assertThat(run(peer, workload(KvMap.TREE, 8, new KvMix(15, 15, 15, 15, 20))))
                    .isPositive();
            KvStore map = peer.connect();
            assertThat(map.scan(Long.MIN_VALUE, Integer.MAX_VALUE))
                    .isEqualTo((int) peer.count().keys());
            assertThat(map.scan(Long.MIN_VALUE, 7)).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 100})
    void allKindsOfOperationsBalanceInRedis(int valueBytes) throws Exception {
        assumeThat(RedisServer.isInstalled()).as("redis-server is installed").isTrue();
        RedisPeer started;
        try (RedisPeer peer = RedisPeer.start(valueBytes)) {
            started = peer;
            assertThat(peer.folder()).exists();
            assertThat(run(peer, workload(valueBytes))).isPositive();
            assertThat(peer.count().keys()).isPositive();
        }
        assertThat(started.folder()).doesNotExist();
    }

    @Test
    void allKindsOfOperationsWithScansBalanceInASortedSetOfRedis() throws Exception {
        assumeThat(RedisServer.isInstalled()).as("redis-server is installed").isTrue();
        try (RedisOrderedPeer peer = RedisOrderedPeer.start()) {
            assertThat(run(peer, workload(KvMap.TREE, 8, new KvMix(15, 15, 15, 15, 20))))
                    .isPositive();
            KvStore map = peer.connect();
            int keys = (int) peer.count().keys();
            assertThat(map.scan(Long.MIN_VALUE, Integer.MAX_VALUE)).isEqualTo(keys);
            assertThat(map.scan(Long.MIN_VALUE, 7)).isEqualTo(7);
            assertThat(map.scan(ScatteredKvStore.place(0), Integer.MAX_VALUE)).isLessThan(keys);
            map.put(Long.MAX_VALUE, 5);
            map.put(-1, 6);
            assertThat(map.scan(Long.MAX_VALUE, 10)).isEqualTo(1);
            assertThat(map.scan(-1, Integer.MAX_VALUE)).isGreaterThan(map.scan(0, Integer.MAX_VALUE));
            assertThat(peer.count().keys()).isEqualTo(keys + 2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 100})
    @Timeout(120)
    void allKindsOfOperationsBalanceInHazelcast(int valueBytes) throws Exception {
        assumeThat(HazelcastPeer.isInstalled()).as("Hazelcast is installed").isTrue();
        HazelcastPeer started;
        try (HazelcastPeer peer = HazelcastPeer.start(valueBytes)) {
            started = peer;
            assertThat(peer.folder()).exists();
            assertThat(run(peer, workload(valueBytes))).isPositive();
            assertThat(peer.count().keys()).isPositive();
        }
        assertThat(started.folder()).doesNotExist();
    }

    @Test
    void theVersionOfHazelcastIsTheOneThatTheScriptInstalls() throws Exception {
        assertThat(Path.of("../peers/install-hazelcast"))
                .content(UTF_8)
                .contains("com.hazelcast:hazelcast:" + HazelcastPeer.VERSION + " ");
    }

    @Test
    void aServerThatEndsBeforeItIsReadyIsReportedAtOnceWithWhatItPrinted() throws Exception {
        Path folder = PeerServer.createFolder("failing");
        assertThatThrownBy(() -> PeerServer.start(
                        "failing", folder, List.of("sh", "-c", "echo no port; exit 1"), () -> false, 3_600_000))
                .isInstanceOf(IOException.class)
                .hasMessage("failing does not start: no port\n");
        assertThat(folder).doesNotExist();
    }

    @Test
    void aServerThatIsNeverReadyIsEnded() throws Exception {
        Path folder = PeerServer.createFolder("slow");
        assertThatThrownBy(() -> PeerServer.start("slow", folder, List.of("sleep", "3600"), () -> false, 50))
                .hasMessage("slow does not start: ");
        assertThat(folder).doesNotExist();
    }

    @Test
    void aPeerThatLosesAKeyIsNoticed() {
        KvPeer lossy = new KvPeer() {
            private final HeapPeer map = new HeapPeer(KvMap.HASH);

            @Override
            public KvStore connect() {
                return map.connect();
            }

            @Override
            public KvFound count() {
                KvFound found = map.count();
                return new KvFound(found.keys() - 1, found.sum());
            }

            @Override
            public void close() {
                map.close();
            }
        };
        assertThatThrownBy(() -> run(lossy, workload(8)))
                .hasStackTraceContaining("the books of the baseline do not balance");
    }
}
