package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.FabricKind;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one thread sees of the fast lazy lists. */
@Timeout(60)
class FastLazyListSetTest {
    private interface Body {
        void run(IntSet set, ComputeThread ct);
    }

    private static void withEmptySet(FastListKind kind, int memoryNodes, Body body) throws Exception {
        TestCluster.of(TestCluster.config(memoryNodes, 1, 1).checkMemory(true).build())
                .run(ct -> {
                    IntSet set = kind.make(ct);
                    body.run(set, ct);
                    set.checkedSize(ct);
                    set.destroy(ct);
                });
    }

    @ParameterizedTest
    @EnumSource
    void anEmptySetContainsNoKeyNotEvenTheDefaultOne(FastListKind kind) throws Exception {
        withEmptySet(kind, 1, (set, ct) -> {
            for (long key : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThat(set.contains(key, ct)).as("contains %d", key).isFalse();
                assertThat(set.remove(key, ct)).as("remove %d", key).isFalse();
            }
            assertThat(set.checkedSize(ct)).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyCanBeInsertedOnceAndRemovedOnce(FastListKind kind) throws Exception {
        withEmptySet(kind, 2, (set, ct) -> {
            long[] keys = {0, Long.MAX_VALUE, -1, Long.MIN_VALUE, 1, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1};
            for (long key : keys) {
                assertThat(set.insert(key, ct)).isTrue();
                assertThat(set.insert(key, ct)).isFalse();
                assertThat(set.contains(key, ct)).isTrue();
            }
            assertThat(set.checkedSize(ct)).isEqualTo(keys.length);
            for (long key : keys) {
                assertThat(set.remove(key, ct)).isTrue();
                assertThat(set.remove(key, ct)).isFalse();
                assertThat(set.contains(key, ct)).isFalse();
            }
            assertThat(set.checkedSize(ct)).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRandomSequenceOfOperationsAnswersLikeATreeSet(FastListKind kind) throws Exception {
        withEmptySet(kind, 2, (set, ct) -> {
            TreeSet<Long> model = new TreeSet<>();
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < 20_000; i++) {
                long key = random.nextInt(-32, 32);
                switch (random.nextInt(3)) {
                    case 0 -> assertThat(set.insert(key, ct)).isEqualTo(model.add(key));
                    case 1 -> assertThat(set.remove(key, ct)).isEqualTo(model.remove(key));
                    default -> assertThat(set.contains(key, ct)).isEqualTo(model.contains(key));
                }
                if (i % 1000 == 0) {
                    assertThat(set.checkedSize(ct)).isEqualTo(model.size());
                    ct.reclaimDeferred();
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 1000})
    void keysOfSixteenBytesAreKeptInTheirOwnOrder(int cacheRecords) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            KeyType<UUID> type = KeyType.of(Codecs.UUID_CODEC);
            FastLazyListSet<UUID> set = new FastLazyListSet<>(FastLazyListSet.create(type, ct), type, cacheRecords);
            TreeSet<UUID> model = new TreeSet<>();
            SplittableRandom random = new SplittableRandom(3);
            for (int i = 0; i < 200; i++) {
                UUID key = new UUID(random.nextInt(4), random.nextLong());
                assertThat(set.insert(key, ct)).isEqualTo(model.add(key));
            }
            assertThat(set.checkedSize(ct)).isEqualTo(model.size());
            for (UUID key : model) {
                assertThat(set.contains(key, ct)).isTrue();
                assertThat(set.remove(key, ct)).isTrue();
            }
            assertThat(set.checkedSize(ct)).isZero();
            set.destroy(ct);
        });
    }

    @Test
    void keysShorterThanAWordCanBeOrderedBackwards() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            KeyType<Integer> type = KeyType.of(Codecs.INT, Comparator.reverseOrder());
            FastLazyListSet<Integer> set = new FastLazyListSet<>(FastLazyListSet.create(type, ct), type);
            for (int key : new int[] {5, -3, 0, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertThat(set.insert(key, ct)).isTrue();
            }
            assertThat(set.checkedSize(ct)).isEqualTo(5);
            assertThat(set.contains(-3, ct)).isTrue();
            assertThat(set.contains(3, ct)).isFalse();
        });
    }

    @ParameterizedTest
    @EnumSource
    void destroyGivesAllMemoryBack(FastListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1)
                        .segmentSizeLog2(12)
                        .segmentsPerNode(1)
                        .build())
                .run(ct -> {
                    for (int i = 0; i < 300; i++) { // many times what a segment of 4 KiB holds
                        IntSet set = kind.make(ct);
                        for (long key = 0; key < 20; key++) {
                            set.insert(key, ct);
                        }
                        set.destroy(ct);
                    }
                });
    }

    // ------------------------------------------------------------------------------------------------ round trips

    /** Keys 10, 20, ... 100 on one Memory Node, and one operation, so that the sentinels are known. */
    private static IntSet tenKeys(FastListKind kind, ComputeThread ct) {
        IntSet set = kind.make(ct);
        for (long key = 100; key > 0; key -= 10) {
            set.insert(key, ct);
        }
        return set;
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void itsCostInRoundTripsIsWhatTheClassCommentSays(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).build(), ct -> {
            IntSet set = tenKeys(FastListKind.FAST, ct);
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

    @Test
    void acrossMemoryNodesAnInsertOrRemoveIsAtMostFourRoundTripsBeyondTheSearch() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).build()).run(ct -> {
            IntSet set = tenKeys(FastListKind.FAST, ct);
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

    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "LANES"})
    void withAWarmCacheASearchIsOneRoundTrip(FabricKind fabric) throws Exception {
        fabric.run(TestCluster.config(1, 1, 1).build(), ct -> {
            IntSet set = tenKeys(FastListKind.CACHED, ct);
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
            assertThat(roundTrips(ct, () -> set.contains(50, ct)))
                    .as("empty after a barrier")
                    .isEqualTo(1 + 5);
        });
    }

    @Test
    void aHandleWhoseCacheIsOutOfDateFindsWhatOthersHaveDone() throws Exception {
        TestCluster.of(TestCluster.config(2, 1, 1).build()).run(ct -> {
            RdmaPtr<FastLazyListSet.Shared> This = LongFastLazyListSet.create(ct);
            IntSet cached = new LongCachedLazyListSet(This);
            IntSet other = new LongFastLazyListSet(This);
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

    @ParameterizedTest
    @EnumSource
    void operationsAllocateNothing(FastListKind kind) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            IntSet set = kind.make(ct);
            for (long key = 0; key < 32; key += 2) {
                set.insert(key, ct);
            }
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            int times = 20_000;
            long before = 0;
            int found = 0;
            for (int i = 0; i < 2 * times; i++) {
                if (i == times) {
                    before = threads.getThreadAllocatedBytes(
                            Thread.currentThread().getId());
                }
                long key = i & 31;
                found += set.contains(key, ct) ? 1 : 0;
                set.insert(key | 1, ct);
                set.remove(key | 1, ct);
                if (i % 512 == 0) {
                    ct.reclaimDeferred();
                }
            }
            long allocated =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(allocated).as("bytes, found %d", found).isLessThan(times);
        });
    }

    // ------------------------------------------------------------------------------------------------ checks

    @Test
    void theChecksFindALockThatWasLeft() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<FastLazyListSet.Shared> This = LongFastLazyListSet.create(ct);
            IntSet set = new LongFastLazyListSet(This);
            set.insert(1, ct);
            ct.place();
            long first = ct.read(ct.read(This.raw()) + 8);
            ct.write(first + 16, 1);
            assertThatThrownBy(() -> set.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("locked by thread 0");
        });
    }

    @Test
    void theChecksFindAMarkThatWasLeftAndKeysOutOfOrder() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<FastLazyListSet.Shared> This = LongFastLazyListSet.create(ct);
            IntSet set = new LongFastLazyListSet(This);
            set.insert(1, ct);
            set.insert(2, ct);
            long first = ct.read(ct.read(This.raw()) + 8);
            ct.write(first, 2);
            assertThatThrownBy(() -> set.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not above");
            ct.write(first, 1);
            ct.write(first + 8, RdmaPtr.marked(ct.read(first + 8)));
            assertThatThrownBy(() -> set.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("marked");
        });
    }
}
