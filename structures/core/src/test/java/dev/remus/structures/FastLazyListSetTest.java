// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.remus.config.ClusterConfig;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the fast lazy lists cost, and what only a list with a cache can do. */
@Timeout(120)
class FastLazyListSetTest {
    /** Keys 10, 20, ... 100 on one Memory Node, and one operation, so that the sentinels are known. */
    private static RemoteLongSet tenKeys(ListKind kind, ComputeThread ct) {
        RemoteLongSet set = kind.make(ct);
        for (long key = 100; key > 0; key -= 10) {
            set.insert(key, ct);
        }
        return set;
    }

    /** Segments that are too small for runs of blocks, so that each new block costs a round trip. */
    private static ClusterConfig withoutRuns(int memoryNodes) {
        return TestCluster.config(memoryNodes, 1, 1).segmentSizeLog2(14).build();
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void itCostsTheRoundTripsOfTheClassComment(FabricKind fabric) throws Exception {
        fabric.run(withoutRuns(1), ct -> {
            RemoteLongSet set = tenKeys(ListKind.FAST, ct);
            long visited = 5; // keys 10 to 50
            assertThat(roundTrips(ct, () -> set.contains(45, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> set.contains(50, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> set.contains(101, ct)))
                    .as("to the tail")
                    .isEqualTo(1 + 10);
            assertThat(roundTrips(ct, () -> set.insert(50, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> set.insert(45, ct))).isEqualTo(1 + visited + 3);
            assertThat(roundTrips(ct, () -> set.remove(44, ct))).isEqualTo(1 + visited);
            assertThat(roundTrips(ct, () -> set.remove(45, ct))).isEqualTo(1 + visited + 2);
            ct.reclaimDeferred();
            assertThat(roundTrips(ct, () -> set.insert(45, ct)))
                    .as("with a block that this thread has freed")
                    .isEqualTo(1 + visited + 2);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void anInsertSavesARoundTripIfTheThreadHasABlockLeftInItsRun(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).build(), ct -> {
            RemoteLongSet set = tenKeys(ListKind.FAST, ct);
            assertThat(roundTrips(ct, () -> set.insert(45, ct))).isEqualTo(1 + 5 + 2);
        });
    }

    @Test
    void acrossMemoryNodesAnInsertOrRemoveIsAtMostFourRoundTripsBeyondTheSearch() throws Exception {
        TestCluster.of(withoutRuns(2)).run(ct -> {
            RemoteLongSet set = tenKeys(ListKind.FAST, ct);
            long visited = 5;
            boolean[] seen = new boolean[5];
            for (int i = 0; i < 6; i++) { // new nodes are dealt out to both Memory Nodes in turn
                long insert =
                        roundTrips(ct, () -> assertThat(set.insert(45, ct)).isTrue()) - 1 - visited;
                assertThat(insert).isBetween(2L, 4L);
                long remove =
                        roundTrips(ct, () -> assertThat(set.remove(45, ct)).isTrue()) - 1 - visited;
                assertThat(remove).isBetween(2L, 4L);
                seen[(int) remove] = true;
                if (i % 2 == 0) {
                    ct.allocate(64); // or all would be on the same one
                }
            }
            assertThat(seen[4]).as("one was on the other Memory Node").isTrue();
            assertThat(seen[2]).as("one was on the same").isTrue();
        });
    }

    @Test
    void aHandleWithoutACacheTakesAtMostTwoKilobytesInAll() throws Exception {
        int handles = 1000;
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<FastLazyListSet.Shared> This = LongFastLazyListSet.create(ct);
            LongFastLazyListSet[] kept = new LongFastLazyListSet[handles];
            long self = Thread.currentThread().getId();
            useAll(new LongFastLazyListSet(This), ct);
            long heapBefore = threads.getThreadAllocatedBytes(self);
            long directBefore = direct.getMemoryUsed();
            for (int i = 0; i < handles; i++) {
                kept[i] = new LongFastLazyListSet(This);
                useAll(kept[i], ct);
            }
            long heap = threads.getThreadAllocatedBytes(self) - heapBefore;
            long outside = direct.getMemoryUsed() - directBefore;
            assertThat((heap + outside) / handles)
                    .as("%d bytes on the heap and %d outside for %d handles", heap, outside, handles)
                    .isLessThan(2048);
            assertThat(kept[handles - 1].contains(1, ct)).isFalse();
        });
    }

    /** Lets a handle make all that it ever needs. */
    private static void useAll(RemoteLongSet set, ComputeThread ct) {
        assertThat(set.insert(1, ct) && set.remove(1, ct)).isTrue();
        ct.reclaimDeferred();
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void withAWarmCacheASearchIsOneRoundTrip(FabricKind fabric) throws Exception {
        fabric.run(withoutRuns(1), ct -> {
            RemoteLongSet set = tenKeys(ListKind.CACHED, ct);
            assertThat(set.contains(101, ct)).isFalse();
            for (long key = 5; key <= 105; key += 5) {
                long sought = key;
                boolean there = key % 10 == 0;
                assertThat(roundTrips(
                                ct, () -> assertThat(set.contains(sought, ct)).isEqualTo(there)))
                        .as("contains %d", key)
                        .isEqualTo(1);
            }
            assertThat(roundTrips(ct, () -> set.insert(45, ct))).isEqualTo(1 + 3);
            assertThat(roundTrips(ct, () -> set.contains(45, ct))).isEqualTo(1);
            assertThat(roundTrips(ct, () -> set.remove(45, ct))).isEqualTo(1 + 2);
            assertThat(roundTrips(ct, () -> set.contains(45, ct))).isEqualTo(1);
            assertThat(ct.metrics().cacheHits()).isPositive();
            ct.barrier();
            for (long key = 5; key <= 105; key += 5) {
                long sought = key;
                assertThat(roundTrips(ct, () -> set.contains(sought, ct)))
                        .as("still warm after a barrier: contains %d", key)
                        .isEqualTo(1);
            }
        });
    }

    @Test
    void aHandleWhoseCacheIsOutOfDateFindsWhatOthersHaveDone() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).build()).run(ct -> {
            RdmaPtr<FastLazyListSet.Shared> This = LongFastLazyListSet.create(ct);
            RemoteLongSet cached = new LongCachedLazyListSet(This);
            RemoteLongSet other = new LongFastLazyListSet(This);
            TreeSet<Long> model = new TreeSet<>();
            SplittableRandom random = new SplittableRandom(5);
            for (int i = 0; i < 3000; i++) {
                long key = random.nextInt(60);
                if (random.nextBoolean()) {
                    assertThat(other.insert(key, ct)).isEqualTo(model.add(key));
                } else {
                    assertThat(other.remove(key, ct)).isEqualTo(model.remove(key));
                }
                long sought = random.nextInt(60);
                assertThat(cached.contains(sought, ct)).isEqualTo(model.contains(sought));
                if (i % 300 == 299) {
                    ct.reclaimDeferred();
                }
            }
            for (long key = 0; key < 60; key++) { // everything that is cached is removed at once
                other.remove(key, ct);
            }
            assertThat(cached.contains(59, ct)).isFalse();
            assertThat(cached.insert(59, ct)).isTrue();
            assertThat(other.contains(59, ct)).isTrue();
        });
    }
}
