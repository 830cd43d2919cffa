package dev.remus.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.node.TestCluster;
import dev.remus.record.Codecs;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What one thread sees of a lazy list. */
class LazyListSetTest {
    private interface Body {
        void run(IntSet set, ComputeThread ct);
    }

    private static void withEmptySet(Body body) throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).checkMemory(true).build()).run(ct -> {
            IntSet set = new LongLazyListSet(LongLazyListSet.create(ct));
            body.run(set, ct);
            set.checkedSize(ct);
            set.destroy(ct);
        });
    }

    @Test
    void anEmptySetContainsNoKeyNotEvenTheDefaultOne() throws Exception {
        withEmptySet((set, ct) -> {
            for (long key : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThat(set.contains(key, ct)).as("contains %d", key).isFalse();
                assertThat(set.remove(key, ct)).as("remove %d", key).isFalse();
            }
            assertThat(set.checkedSize(ct)).isZero();
        });
    }

    @Test
    void everyKeyCanBeInsertedOnceAndRemovedOnce() throws Exception {
        withEmptySet((set, ct) -> {
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

    @Test
    void aRandomSequenceOfOperationsAnswersLikeATreeSet() throws Exception {
        withEmptySet((set, ct) -> {
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

    @Test
    void keysOfSixteenBytesAreKeptInTheirOwnOrder() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            KeyType<UUID> type = KeyType.of(Codecs.UUID_CODEC);
            LazyListSet<UUID> set = new LazyListSet<>(LazyListSet.create(type, ct), type);
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
            LazyListSet<Integer> set = new LazyListSet<>(LazyListSet.create(type, ct), type);
            for (int key : new int[] {5, -3, 0, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertThat(set.insert(key, ct)).isTrue();
            }
            assertThat(set.checkedSize(ct)).isEqualTo(5);
            assertThat(set.contains(-3, ct)).isTrue();
            assertThat(set.contains(3, ct)).isFalse();
        });
    }

    @Test
    void destroyGivesAllMemoryBack() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1)
                        .segmentSizeLog2(12)
                        .segmentsPerNode(1)
                        .build())
                .run(ct -> {
                    for (int i = 0; i < 1000; i++) { // many times what a segment of 4 KiB holds
                        IntSet set = new LongLazyListSet(LongLazyListSet.create(ct));
                        for (long key = 0; key < 20; key++) {
                            set.insert(key, ct);
                        }
                        set.destroy(ct);
                    }
                });
    }

    @Test
    void itsCostInRoundTripsIsWhatTheClassCommentSays() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            IntSet set = new LongLazyListSet(LongLazyListSet.create(ct));
            for (long key = 10; key <= 100; key += 10) {
                set.insert(key, ct);
            }
            long visited = 5; // keys 10 to 50
            assertThat(roundTrips(ct, () -> set.contains(45, ct))).isEqualTo(3 + 2 * visited - 1);
            assertThat(roundTrips(ct, () -> set.contains(50, ct))).isEqualTo(3 + 2 * visited - 1 + 1);
            assertThat(roundTrips(ct, () -> set.insert(50, ct))).isEqualTo(9 + 2 * visited - 1);
            assertThat(roundTrips(ct, () -> set.insert(45, ct))).isEqualTo(9 + 2 * visited - 1 + 5);
            assertThat(roundTrips(ct, () -> set.remove(44, ct))).isEqualTo(9 + 2 * visited - 1);
            assertThat(roundTrips(ct, () -> set.remove(45, ct))).isEqualTo(9 + 2 * visited - 1 + 3);
            ct.reclaimDeferred();
            assertThat(roundTrips(ct, () -> set.insert(45, ct)))
                    .as("with a block that this thread has freed")
                    .isEqualTo(9 + 2 * visited - 1 + 4);
        });
    }

    private static long roundTrips(ComputeThread ct, Runnable operation) {
        long before = ct.metrics().roundTrips();
        operation.run();
        return ct.metrics().roundTrips() - before;
    }

    @Test
    void theChecksFindALockThatWasLeft() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<LazyListSet.Shared> This = LongLazyListSet.create(ct);
            IntSet set = new LongLazyListSet(This);
            set.insert(1, ct);
            long head = ct.read(This.raw());
            long first = ct.read(head + 8);
            ct.write(first + 16, 1);
            assertThatThrownBy(() -> set.checkedSize(ct))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("locked by thread 0");
        });
    }

    @Test
    void theChecksFindAMarkThatWasLeftAndKeysOutOfOrder() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            RdmaPtr<LazyListSet.Shared> This = LongLazyListSet.create(ct);
            IntSet set = new LongLazyListSet(This);
            set.insert(1, ct);
            set.insert(2, ct);
            long head = ct.read(This.raw());
            long first = ct.read(head + 8);
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
